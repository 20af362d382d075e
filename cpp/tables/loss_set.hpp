/// Rows of a node, or of one of its children, as loss tables see them.
///
/// Every sum is what the rows gain by the one label less what they gain by the other
/// (kernels/loss_table.hpp), in lanes as wide as the potential of the node needs.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/table_columns.hpp"

namespace ostrya {

/// Losses of the two sides of a cut: as leaves, and parted once more.
struct CutLosses {
    Weight yes, yes_two, no, no_two;
};

template <class Lane>
struct LossSet {
    std::uint32_t n_rows = 0;
    std::vector<std::uint16_t> cells;  // of the rows, column by column
    std::vector<Lane> weights;         // of the rows
    std::vector<Weight> potentials;    // of the rows
    // Of the rows up to each cell, all columns one after the other.
    std::vector<Lane> upto;
    std::vector<Weight> potential_upto;
    std::vector<Lane> yes_most, yes_least, no_most, no_least;  // as in LossExtremes

    template <class Sum>
    void take(const Node<Sum>& node, const std::vector<TableColumn>& columns);
    /// Take the listed rows of another set.
    void take_rows(const LossSet& from, const std::vector<std::uint32_t>& rows,
                   const std::vector<TableColumn>& columns);
    /// Take what another set and a part of it leave; no rows, sums only.
    void take_rest(const LossSet& whole, const LossSet& part);

    void clear_extremes();
    /// As kernels want it.
    LossSums<Lane> sums_of(const TableColumn& outer, const TableColumn& inner);

    CutLosses losses(const TableColumn& column, std::uint32_t cut) const;
    /// Loss of all rows as one leaf.
    Weight loss() const;

    std::size_t bytes() const;

private:
    void sum_up(const std::vector<TableColumn>& columns);
};

/// Where loss tables are counted.
template <class Lane>
struct LossScratch {
    std::vector<Lane> table, above, both;

    void fit(const std::vector<TableColumn>& columns);
    LossTable<Lane> count(const LossSet<Lane>& set, const TableColumn& outer,
                          const TableColumn& inner);
    std::size_t bytes() const;
};

}  // namespace ostrya
