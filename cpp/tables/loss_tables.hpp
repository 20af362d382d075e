/// Scan 2 for columns of many values that many rows share, where two levels are the
/// end: least losses only, from tables of one number a cell.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/loss_set.hpp"

namespace ostrya {

template <class Sum, class Lane>
class LossTables {
public:
    /// Take down the rows of a node all of whose columns are histograms.
    void take(const Node<Sum>& node);

    /// Count a column against itself and all with fewer cells.
    void scan_column(std::size_t at);
    std::size_t n_columns() const { return columns_.size(); }

    /// Two-leaf losses of both sides of every split, once all columns are scanned.
    void report(const Node<Sum>& node, Sum* yes_two, Sum* no_two) const;

    std::size_t bytes() const { return set_.bytes() + scratch_.bytes(); }

private:
    std::vector<TableColumn> columns_;
    LossSet<Lane> set_;
    LossScratch<Lane> scratch_;
};

}  // namespace ostrya
