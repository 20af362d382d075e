/// Cells of a node's histogram columns: their sums, and the rows in each.
#include <algorithm>
#include <utility>

#include "node/node.hpp"

namespace ostrya {

void sort_by_cell(const std::uint32_t* cells, std::uint32_t first, std::uint32_t n_rows,
                  std::uint32_t n_cells, std::uint32_t* rows, std::uint32_t* ends) {
    std::fill_n(ends, n_cells, 0);
    for (std::uint32_t row = 0; row < n_rows; ++row) ++ends[cells[row] - first];
    std::uint32_t begin = 0;
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
        begin += std::exchange(ends[cell], begin);
    }
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        rows[ends[cells[row] - first]++] = row;
    }
}

/// Cells of the histogram columns row by row.
template <class Sum>
void NodeBuilder<Sum>::list_row_cells(Node<Sum>& node) const {
    const std::size_t n_columns = node.histograms.size();
    node.row_cells.resize(n_columns * node.n_rows);
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        for (std::size_t index = 0; index < n_columns; ++index) {
            node.row_cells[row * n_columns + index] =
                node.column_cells[index * node.n_rows + row];
        }
    }
}

/// Number the cells of histogram columns and sum the rows up to each.
template <class Sum>
void NodeBuilder<Sum>::fill_cells(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    for (const HistogramColumn& column : node.histograms) {
        const std::uint32_t first = node.bit_stride + column.first;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            Sum* yes = node.yes.data() + slot * node.width + first;
            Sum sum = 0;
            for (std::uint32_t cell = 0; cell < column.n_cells; ++cell) {
                sum += cell_sums_[(column.first + cell) * slots + slot];
                yes[cell] = sum;
            }
        }
        for (std::uint32_t cell = 0; cell < column.n_cuts; ++cell) {
            node.splits[first + cell] = {column.column,
                                         node.cell_cuts[column.first + cell]};
            node.is_split[first + cell] = 1;
            if (cell > 0) {
                node.previous[first + cell] = first + cell - 1;
                node.next[first + cell - 1] = first + cell;
            }
        }
    }
}

/// Sort the rows of each histogram column by their cells, if these are sparse.
template <class Sum>
void NodeBuilder<Sum>::sort_rows(Node<Sum>& node) {
    if (!node.has_sparse_cells()) return;
    node.cell_rows.resize(node.histograms.size() * node.n_rows);
    node.cell_ends.resize(node.n_cells);
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const HistogramColumn& column = node.histograms[index];
        sort_by_cell(node.column_cells.data() + index * node.n_rows, column.first,
                     node.n_rows, column.n_cells,
                     node.cell_rows.data() + index * node.n_rows,
                     node.cell_ends.data() + column.first);
    }
}

/// Sums before and after each block of cells.
template <class Sum>
void NodeBuilder<Sum>::fill_blocks(Node<Sum>& node) {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    node.yes_before.assign(2 * n_blocks, 0);
    node.yes_after.resize(2 * n_blocks);
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
        const Sum* yes = node.yes.data() + slot * node.width + node.bit_stride;
        Sum* before = node.yes_before.data() + slot * n_blocks;
        Sum* after = node.yes_after.data() + slot * n_blocks;
        for (std::size_t block = 0; block < n_blocks; ++block) {
            after[block] = yes[(block + 1) * cells_per_block - 1];
        }
        for (const HistogramColumn& column : node.histograms) {
            const std::size_t first = column.first / cells_per_block;
            const std::size_t n = column.n_cells / cells_per_block;
            std::copy_n(after + first, n - 1, before + first + 1);
        }
    }
}

template void NodeBuilder<std::int32_t>::fill_cells(Node<std::int32_t>&);
template void NodeBuilder<std::int32_t>::list_row_cells(Node<std::int32_t>&) const;
template void NodeBuilder<std::int32_t>::sort_rows(Node<std::int32_t>&);
template void NodeBuilder<std::int32_t>::fill_blocks(Node<std::int32_t>&);
template void NodeBuilder<std::int64_t>::fill_cells(Node<std::int64_t>&);
template void NodeBuilder<std::int64_t>::list_row_cells(Node<std::int64_t>&) const;
template void NodeBuilder<std::int64_t>::sort_rows(Node<std::int64_t>&);
template void NodeBuilder<std::int64_t>::fill_blocks(Node<std::int64_t>&);

}  // namespace ostrya
