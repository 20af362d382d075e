/// Scan 2 for columns of many values that many rows share: every two columns are
/// counted against each other in one table.
///
/// A table costs one addition per row and a few cycles per cell, and serves both
/// columns. So what is best below every cut is known at once, whatever the budget.
#pragma once

#include <cstdint>

#include "tables/table_set.hpp"

namespace ostrya {

template <class Sum, class Kind>
class PairTables {
public:
    explicit PairTables(MemoryBudget& memory)
        : columns_(memory), set_(memory), scratch_(memory) {}

    /// The rows of a node all of whose columns are histograms.
    void read(const Node<Sum>& node);

    /// Count a column against itself and all with fewer cells; cells no heavier than
    /// `floor` are not reported.
    void scan_column(std::size_t at, Weight floor);
    std::size_t n_columns() const { return columns_.size(); }

    /// Write what is best below every split of the node, once all columns are scanned;
    /// from Differences two-leaf losses only.
    void write(const Node<Sum>& node, const ChildBestArrays<Sum>& best) const;

private:
    TableColumns columns_;
    TableSet<Kind> set_;
    TableScratch<Kind> scratch_;
};

}  // namespace ostrya
