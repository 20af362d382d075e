#include "tables/table_columns.hpp"

#include <algorithm>

namespace ostrya {
namespace {

/// Lanes of the widest vector: padding to it suits every instruction set.
constexpr std::uint32_t lanes = 32;

}  // namespace

template <class Sum>
std::vector<TableColumn> table_columns(const Node<Sum>& node) {
    std::vector<TableColumn> columns;
    for (std::uint32_t index = 0; index < node.histograms.size(); ++index) {
        const std::uint32_t n_cells = node.histograms[index].n_cuts + 1;
        columns.push_back({index, n_cells, (n_cells + lanes - 1) / lanes * lanes, 0});
    }
    std::stable_sort(columns.begin(), columns.end(),
                     [](const TableColumn& a, const TableColumn& b) {
                         return a.n_cells < b.n_cells;
                     });
    std::size_t first = 0;
    for (TableColumn& column : columns) {
        column.first = first;
        first += column.stride;
    }
    return columns;
}

std::size_t width_of(const std::vector<TableColumn>& columns) {
    return columns.empty() ? 0 : columns.back().first + columns.back().stride;
}

std::size_t n_table_cells(const std::vector<TableColumn>& columns) {
    std::size_t n = 0, n_outer = 0;
    for (const TableColumn& inner : columns) {
        n_outer += inner.n_cells;
        n += n_outer * inner.stride;
    }
    return n;
}

template <class Sum>
std::vector<std::uint16_t> table_cells(const Node<Sum>& node,
                                       const std::vector<TableColumn>& columns) {
    std::vector<std::uint16_t> cells(columns.size() * node.n_rows);
    for (const TableColumn& column : columns) {
        const std::uint32_t first = node.histograms[column.index].first;
        const std::size_t at = std::size_t{column.index} * node.n_rows;
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            cells[at + row] =
                static_cast<std::uint16_t>(node.column_cells[at + row] - first);
        }
    }
    return cells;
}

template std::vector<std::uint16_t> table_cells(const Node<std::int32_t>&,
                                                const std::vector<TableColumn>&);
template std::vector<std::uint16_t> table_cells(const Node<std::int64_t>&,
                                                const std::vector<TableColumn>&);
template std::vector<TableColumn> table_columns(const Node<std::int32_t>&);
template std::vector<TableColumn> table_columns(const Node<std::int64_t>&);

}  // namespace ostrya
