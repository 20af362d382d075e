/// Both children of a split, solved to depth two, from one set of loss tables.
///
/// The sums of the node's tables are kept. Of two children only the smaller one is
/// counted; the larger one has the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/loss_set.hpp"

namespace ostrya {

template <class Sum, class Lane>
class SiblingTables {
public:
    /// Count the tables of a node all of whose columns are histograms, unless they are
    /// there; false where they would take more than `most_bytes`.
    bool take(const Node<Sum>& node, std::uint64_t most_bytes);

    /// Take the children of a split of the node: who answers yes.
    void part(const std::vector<std::uint64_t>& mask);

    /// Count a column against itself and all with fewer cells, for the children asked
    /// for.
    void scan_column(std::size_t at, bool for_yes, bool for_no);
    std::size_t n_columns() const { return columns_.size(); }

    /// Cost of a child's best tree of depth two, once all columns are scanned.
    Cost best_cost(bool is_yes, const Grid& grid) const;

    std::size_t bytes() const;

private:
    RowHash rows_;  // of the node
    std::vector<TableColumn> columns_;
    LossSet<Lane> node_, smaller_, larger_;
    LossScratch<Lane> scratch_;
    std::vector<Lane> whole_;            // sums of the node's tables, one by one
    std::vector<std::uint32_t> listed_;  // rows of the smaller child
    bool yes_is_smaller_ = false;
};

}  // namespace ostrya
