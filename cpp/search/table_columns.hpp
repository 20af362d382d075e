/// The columns of a node that are counted against each other in tables.
#pragma once

#include <cstdint>
#include <vector>

#include "search/node.hpp"

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

}  // namespace ostrya
