/// Sets of rows as cross tables see them: columns padded to whole vectors, rows in
/// narrow lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "search/node.hpp"

namespace ostrya {

/// A column of a node that is counted against the others.
struct CrossColumn {
    std::uint32_t index;  // among the node's histograms
    std::uint32_t n_cells;
    std::uint32_t stride;  // cells in whole vectors
    std::size_t first;     // in arrays of all columns, one after the other
};

/// The columns of a node, fewest cells first: of two columns the one with more cells is
/// the outer one.
template <class Sum>
std::vector<CrossColumn> cross_columns(const Node<Sum>& node);

/// Cells of all columns, and of all tables.
std::size_t width_of(const std::vector<CrossColumn>& columns);
std::size_t n_table_cells(const std::vector<CrossColumn>& columns);

/// Rows of a node, or of one of its children.
template <class Lane>
struct CrossSet {
    std::uint32_t n_rows = 0;
    std::vector<std::uint16_t> cells;      // of the rows, column by column
    std::vector<CrossCell<Lane>> weights;  // of the rows
    Lane total[2] = {};
    std::vector<Lane> upto;  // rows up to each cell: 2 x stride for each column
    // What is best below each cut, as in ChildBest.
    std::vector<Lane> yes_two, no_two, yes_cell, no_cell;

    template <class Sum>
    void take(const Node<Sum>& node, const std::vector<CrossColumn>& columns);
    void clear_best(std::size_t width);
    /// As kernels want it.
    CrossSums<Lane> sums_of(const CrossColumn& outer, const CrossColumn& inner);
    std::size_t bytes() const;
};

/// Where tables are counted.
template <class Lane>
struct CrossScratch {
    std::vector<CrossCell<Lane>> table, above, sums;
    std::vector<Lane> both;

    void fit(const std::vector<CrossColumn>& columns);
    /// Count the rows of a set.
    CrossTable<Lane> count(const CrossSet<Lane>& set, const CrossColumn& outer,
                           const CrossColumn& inner);
    std::size_t bytes() const;
};

}  // namespace ostrya
