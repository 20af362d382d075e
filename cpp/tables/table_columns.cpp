#include "tables/table_columns.hpp"

#include <algorithm>

namespace ostrya {
namespace {

/// Lanes of the widest vector: padding to it suits every instruction set.
constexpr std::uint32_t lanes = 32;

}  // namespace

template <class Sum>
void TableColumns::read(const Node<Sum>& node) {
    columns_.clear();
    for (std::uint32_t index = 0; index < node.histograms.size(); ++index) {
        const std::uint32_t n_cells = node.histograms.columns[index].n_cuts + 1;
        columns_.push_back({index, n_cells, (n_cells + lanes - 1) / lanes * lanes, 0});
    }
    std::stable_sort(columns_.begin(), columns_.end(),
                     [](const TableColumn& a, const TableColumn& b) {
                         return a.n_cells < b.n_cells;
                     });
    std::size_t first = 0;
    for (TableColumn& column : columns_) {
        column.first = first;
        first += column.stride;
    }
}

std::size_t TableColumns::n_table_cells(std::size_t n) const {
    std::size_t n_cells = 0, n_outer = 0;
    for (std::size_t at = 0; at < n; ++at) {
        n_outer += columns_[at].n_cells;
        n_cells += n_outer * columns_[at].stride;
    }
    return n_cells;
}

template void TableColumns::read(const Node<std::int32_t>&);
template void TableColumns::read(const Node<std::int64_t>&);

}  // namespace ostrya
