#include "node/histograms.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {

void sort_by_cell(const std::uint32_t* cells, const HistogramColumn& column,
                  std::uint32_t n_rows, std::uint32_t* rows, std::uint32_t* ends) {
    std::fill_n(ends, column.n_cells, 0);
    for (std::uint32_t row = 0; row < n_rows; ++row) ++ends[cells[row] - column.first];
    std::uint32_t begin = 0;
    for (std::uint32_t cell = 0; cell < column.n_cells; ++cell) {
        begin += std::exchange(ends[cell], begin);
    }
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        rows[ends[cells[row] - column.first]++] = row;
    }
}

template <class Sum>
void Histograms<Sum>::list_row_cells() {
    row_cells.resize(size() * n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        for (std::size_t index = 0; index < size(); ++index) {
            row_cells[row * size() + index] = column_cells[index * n_rows + row];
        }
    }
}

template <class Sum>
void Histograms<Sum>::sort_rows() {
    if (!are_sparse()) return;
    sorted_rows.resize(size() * n_rows);
    ends.resize(n_cells);
    for (std::size_t index = 0; index < size(); ++index) {
        const HistogramColumn& column = columns[index];
        sort_by_cell(cells_of(index), column, n_rows,
                     sorted_rows.data() + index * n_rows, ends.data() + column.first);
    }
}

template <class Sum>
void Histograms<Sum>::sum_blocks(const Sum* yes, std::size_t width) {
    const std::size_t n = n_blocks();
    yes_before.assign(2 * n, 0);
    yes_after.resize(2 * n);
    for (std::uint32_t slot = 0; slot < 2; ++slot, yes += width) {
        Sum* before = yes_before.data() + slot * n;
        Sum* after = yes_after.data() + slot * n;
        for (std::size_t block = 0; block < n; ++block) {
            after[block] = yes[(block + 1) * cells_per_block - 1];
        }
        for (const HistogramColumn& column : columns) {
            const std::size_t first = column.first_block();
            std::copy_n(after + first, column.n_blocks() - 1, before + first + 1);
        }
    }
}

template struct Histograms<std::int32_t>;
template struct Histograms<std::int64_t>;

}  // namespace ostrya
