/// Scan 2 for columns of many values that many rows share: every two columns are
/// counted against each other in one table.
///
/// A table costs one addition a row and a few cycles a cell, and serves both columns.
/// So what is best below every cut is known at once, whatever the budget. Two classes
/// only. Where the cells of pairs are not asked for, loss tables are faster.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/cross_set.hpp"

namespace ostrya {

template <class Sum, class Lane>
class CrossTables {
public:
    /// Take down the rows of a node all of whose columns are histograms.
    void take(const Node<Sum>& node);

    /// Count a column against itself and all with fewer cells; cells no heavier than
    /// `floor` are not reported.
    void scan_column(std::size_t at, Weight floor);
    std::size_t n_columns() const { return columns_.size(); }

    /// What is best below every split of the node, once all columns are scanned.
    void report(const Node<Sum>& node, const ChildBestArrays<Sum>& best) const;

    std::size_t bytes() const { return set_.bytes() + scratch_.bytes(); }

private:
    std::vector<TableColumn> columns_;
    CrossSet<Lane> set_;
    CrossScratch<Lane> scratch_;
};

}  // namespace ostrya
