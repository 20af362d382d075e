/// Rows that answer yes to a first split, summed into cells or blocks of cells.
#include <algorithm>
#include <bit>
#include <cstring>

#include "data/row_bits.hpp"
#include "kernels/padding.hpp"
#include "pairs/pair_counter.hpp"

namespace ostrya {
namespace {

/// The block of a cell is its number without the last bits.
constexpr int block_shift = std::countr_zero(cells_per_block);

/// Add one row's sums to its place in every histogram column, or take them away if
/// `sign` is -1: its cell, or the run of 2^shift cells that it is in.
template <int shift, int sign, class Sum>
inline void add_sums(const Node<Sum>& node, std::uint32_t row, std::uint32_t slots,
                     Sum* out_sums) {
    const std::size_t n_columns = node.histograms.size();
    const std::uint32_t* cells = node.row_cells.data() + row * n_columns;
    const Sum* sums = node.row_sums.data() + row * slots;
    if (slots == 2 && sizeof(Sum) == 4) {
        // Both sums in one addition: none is ever negative, so nothing is carried over.
        std::uint64_t pair = 0;
        std::memcpy(&pair, sums, 8);
        for (std::size_t index = 0; index < n_columns; ++index) {
            Sum* out = out_sums + 2 * static_cast<std::size_t>(cells[index] >> shift);
            std::uint64_t sum = 0;
            std::memcpy(&sum, out, 8);
            sign > 0 ? sum += pair : sum -= pair;
            std::memcpy(out, &sum, 8);
        }
        return;
    }
    for (std::size_t index = 0; index < n_columns; ++index) {
        Sum* out = out_sums + slots * static_cast<std::size_t>(cells[index] >> shift);
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            out[slot] += sign * sums[slot];
    }
}

}  // namespace

/// Sum the rows of the mask into the cells of every column, one column at a time.
template <class Sum>
void PairCounter<Sum>::sum_columns(const Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    cell_sums_.assign(slots * node.n_cells, 0);
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const std::uint32_t* cells = node.column_cells.data() + index * node.n_rows;
        for (std::uint32_t word = 0; word < node.n_words; ++word) {
            for_each_bit(mask_[word], word, [&](std::uint32_t row) {
                for (std::uint32_t slot = 0; slot < slots; ++slot) {
                    cell_sums_[cells[row] * slots + slot] +=
                        node.row_sums[row * slots + slot];
                }
            });
        }
    }
}

/// Clear the sums, and decide what rows are summed into.
template <class Sum>
void PairCounter<Sum>::begin_sums(const Node<Sum>& node, bool by_blocks) {
    counts_blocks_ = by_blocks && node.has_sparse_cells();
    if (counts_blocks_) {
        block_sums_.assign(2 * (node.n_cells / cells_per_block), 0);
    } else {
        cell_sums_.assign(reader_.size() * node.n_cells, 0);
    }
}

/// Call `visit` with a function that adds a row to the sums, or takes it away.
template <class Sum>
template <int sign, class Visit>
void PairCounter<Sum>::add_rows(const Node<Sum>& node, const Visit& visit) {
    if (counts_blocks_) {
        visit([&](std::uint32_t row) {
            add_sums<block_shift, sign>(node, row, 2, block_sums_.data());
        });
    } else {
        visit([&](std::uint32_t row) {
            add_sums<0, sign>(node, row, reader_.size(), cell_sums_.data());
        });
    }
}

template <class Sum>
void PairCounter<Sum>::take_bit_column(const Node<Sum>& node, std::uint32_t split,
                                       bool by_blocks) {
    mask_of(node, split, mask_);
    both_.resize(reader_.size() * node.width);
    if (node.histograms.empty()) return;
    std::uint32_t n_yes = 0;
    for (const std::uint64_t word : mask_) {
        n_yes += static_cast<std::uint32_t>(std::popcount(word));
    }
    counts_complement_ = 2 * n_yes > node.n_rows;
    begin_sums(node, by_blocks);
    add_rows<1>(node, [&](const auto& add) {
        for (std::uint32_t word = 0; word < node.n_words; ++word) {
            std::uint64_t left = counts_complement_ ? ~mask_[word] : mask_[word];
            if (word + 1 == node.n_words) left &= tail_mask(node.n_rows);
            for_each_bit(left, word, add);
        }
    });
}

template <class Sum>
void PairCounter<Sum>::take_histogram(const Node<Sum>& node, std::uint32_t index,
                                      bool by_blocks) {
    const HistogramColumn& column = node.histograms[index];
    if (node.has_sparse_cells()) {
        column_rows_ = node.cell_rows.data() + std::size_t{index} * node.n_rows;
        column_ends_ = node.cell_ends.data() + column.first;
    } else {
        sorted_rows_.resize(node.n_rows);
        cell_ends_.resize(column.n_cells);
        sort_by_cell(node.column_cells.data() + std::size_t{index} * node.n_rows,
                     column.first, node.n_rows, column.n_cells, sorted_rows_.data(),
                     cell_ends_.data());
        column_rows_ = sorted_rows_.data();
        column_ends_ = cell_ends_.data();
    }
    mask_.assign(node.n_words, 0);
    both_.resize(reader_.size() * node.width);
    begin_sums(node, by_blocks);
    counts_complement_ = false;
    n_taken_ = 0;
}

/// Have the rows up to local cell `cell` of the column taken summed, and no others.
template <class Sum>
void PairCounter<Sum>::move_to(const Node<Sum>& node, std::uint32_t cell) {
    const std::uint32_t end = column_ends_[cell];
    const auto flip = [&](std::uint32_t row) {
        mask_[row / 64] ^= std::uint64_t{1} << row % 64;
        return row;
    };
    if (n_taken_ < end) {
        add_rows<1>(node, [&](const auto& add) {
            for (; n_taken_ < end; ++n_taken_) add(flip(column_rows_[n_taken_]));
        });
    } else {
        add_rows<-1>(node, [&](const auto& add) {
            while (n_taken_ > end) add(flip(column_rows_[--n_taken_]));
        });
    }
}

template void PairCounter<std::int32_t>::sum_columns(const Node<std::int32_t>&);
template void PairCounter<std::int32_t>::take_bit_column(const Node<std::int32_t>&,
                                                         std::uint32_t, bool);
template void PairCounter<std::int32_t>::take_histogram(const Node<std::int32_t>&,
                                                        std::uint32_t, bool);
template void PairCounter<std::int32_t>::move_to(const Node<std::int32_t>&,
                                                 std::uint32_t);
template void PairCounter<std::int64_t>::sum_columns(const Node<std::int64_t>&);
template void PairCounter<std::int64_t>::take_bit_column(const Node<std::int64_t>&,
                                                         std::uint32_t, bool);
template void PairCounter<std::int64_t>::take_histogram(const Node<std::int64_t>&,
                                                        std::uint32_t, bool);
template void PairCounter<std::int64_t>::move_to(const Node<std::int64_t>&,
                                                 std::uint32_t);

}  // namespace ostrya
