/// The columns of a node that are counted against each other in tables.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace ostrya {

/// A column of a node that is counted against the others.
struct TableColumn {
    std::uint32_t index;  // among the node's histograms
    std::uint32_t n_cells;
    std::uint32_t stride;  // cells in whole vectors
    std::size_t first;     // in arrays of all columns, one after the other
};

/// The columns of a node, fewest cells first: of two columns the one with fewer is the
/// outer one, so that tables have few and long rows.
template <class Sum>
std::vector<TableColumn> table_columns(const Node<Sum>& node);

/// Cells of all columns, and of all tables.
std::size_t width_of(const std::vector<TableColumn>& columns);
std::size_t n_table_cells(const std::vector<TableColumn>& columns);

/// The cell of every row in each column, counted from the column's first one.
template <class Sum>
std::vector<std::uint16_t> table_cells(const Node<Sum>& node,
                                       const std::vector<TableColumn>& columns);

/// A set of rows as two of its columns see them; `set` has n_rows, cells and weights.
template <class Cell, class Set>
TableRows<Cell> rows_of(const Set& set, const TableColumn& outer,
                        const TableColumn& inner) {
    const std::size_t n = set.n_rows;
    return {set.cells.data() + outer.index * n, set.cells.data() + inner.index * n,
            set.weights.data(), n};
}

}  // namespace ostrya
