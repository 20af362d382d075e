#include "node/histograms.hpp"

#include <algorithm>
#include <utility>

#include "kernels/padding.hpp"

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
void Histograms<Sum>::sort_rows(std::size_t rows_per_cell) {
    has_sorted_rows = hold_at_most(rows_per_cell);
    if (!has_sorted_rows) return;
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

template <class Sum>
void Histograms<Sum>::sum_label_blocks(const Sum* yes, std::size_t width,
                                       const SumLayout& layout) {
    // About as many rows as a block of this many costs to bound.
    constexpr std::size_t rows_per_block = 16;
    labels.lanes = label_lanes(layout.n_labels);
    labels.shift = 0;
    if (has_sorted_rows) {
        while ((n_rows * size() << labels.shift) < rows_per_block * n_cells) {
            ++labels.shift;
        }
    }
    labels.first.clear();
    std::uint32_t n = 0;
    for (const HistogramColumn& column : columns) {
        labels.first.push_back(n);
        n += (column.n_cuts >> labels.shift) + 2;
    }
    labels.first.push_back(n);
    labels.row_ends.resize(size() * n_rows);
    labels.upto.assign(std::size_t{n} * labels.lanes, 0);
    if (layout.counts_rows) labels.counts_upto.assign(n, 0);
    for (std::size_t index = 0; index < size(); ++index) {
        const HistogramColumn& column = columns[index];
        const std::uint32_t first = labels.first[index] + 1;
        const std::uint32_t n_ends = labels.first[index + 1] - first;
        for (std::uint32_t end = 0; end < n_ends; ++end) {
            const std::uint32_t cell =
                std::min(((end + 1) << labels.shift) - 1, column.n_cuts);
            Sum* upto = labels.upto.data() + std::size_t{first + end} * labels.lanes;
            for (std::uint32_t label = 0; label < layout.n_labels; ++label) {
                upto[label] = yes[label * width + column.first + cell];
            }
            if (layout.counts_rows) {
                labels.counts_upto[first + end] =
                    yes[layout.count_slot() * width + column.first + cell];
            }
        }
        const std::uint32_t* cells = cells_of(index);
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            labels.row_ends[row * size() + index] =
                first + ((cells[row] - column.first) >> labels.shift);
        }
    }
}

template struct Histograms<std::int32_t>;
template struct Histograms<std::int64_t>;

}  // namespace ostrya
