#include "search/pair_counter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "search/bits.hpp"
#include "search/padding.hpp"

namespace ostrya {
namespace {

/// The block of a cell is its number without the last bits.
constexpr int block_shift = std::countr_zero(cells_per_block);

/// Add one row's sums to its place in every histogram column: its cell, or the run of
/// 2^shift cells that it is in.
template <int shift, class Sum>
inline void add_sums(const Node<Sum>& node, std::uint32_t row, std::uint32_t slots,
                     Sum* out_sums) {
    const std::size_t n_columns = node.histograms.size();
    const std::uint32_t* cells = node.row_cells.data() + row * n_columns;
    const Sum* sums = node.row_sums.data() + row * slots;
    if (slots == 2 && sizeof(Sum) == 4) {
        // Both sums in one addition: neither is negative, so nothing is carried over.
        std::uint64_t pair = 0;
        std::memcpy(&pair, sums, 8);
        for (std::size_t index = 0; index < n_columns; ++index) {
            Sum* out = out_sums + 2 * static_cast<std::size_t>(cells[index] >> shift);
            std::uint64_t sum = 0;
            std::memcpy(&sum, out, 8);
            sum += pair;
            std::memcpy(out, &sum, 8);
        }
        return;
    }
    for (std::size_t index = 0; index < n_columns; ++index) {
        Sum* out = out_sums + slots * static_cast<std::size_t>(cells[index] >> shift);
        for (std::uint32_t slot = 0; slot < slots; ++slot) out[slot] += sums[slot];
    }
}

}  // namespace

template <class Sum>
PairCounter<Sum>::PairCounter(const Problem& problem, const NodeBuilder<Sum>& builder)
    : reader_(builder.reader()),
      kernels_(builder.kernels()),
      min_count_(problem.min_samples_leaf),
      masked_planes_(builder.reader().size()),
      first_sums_(builder.reader().size()) {}

template <class Sum>
std::size_t PairCounter<Sum>::bytes() const {
    return (both_.capacity() + cell_sums_.capacity()) * sizeof(Sum) +
           sorted_rows_.capacity() * 4 + aside_bits_.capacity() * 8;
}

template <class Sum>
void PairCounter<Sum>::mask_of(const Node<Sum>& node, std::uint32_t split,
                               std::vector<std::uint64_t>& mask) {
    mask.assign(node.n_words, 0);
    if (split < node.bit_stride) {
        for (std::uint32_t word = 0; word < node.n_words; ++word) {
            mask[word] = node.bits[word * node.bit_stride + split];
        }
        return;
    }
    const std::uint32_t cell = split - node.bit_stride;
    const std::uint32_t index = node.histogram_of(split);
    const std::size_t n_columns = node.histograms.size();
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const bool is_yes = node.row_cells[row * n_columns + index] <= cell;
        mask[row / 64] |= std::uint64_t{is_yes} << row % 64;
    }
}

template <class Sum>
void PairCounter<Sum>::count_pairs(const Node<Sum>& node, std::uint32_t split) {
    clear_aside();
    if (split < node.bit_stride) {
        take_bit_column(node, split, false);
    } else {
        const std::uint32_t index = node.histogram_of(split);
        const std::uint32_t first = node.bit_stride + node.histograms[index].first;
        take_histogram(node, index, false);
        advance_to(node, split - first);
    }
    count_bits(node, 0);
    if (node.n_cells > 0) count_cells(node);
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

/// Call `visit` with a function that adds a row to the sums.
template <class Sum>
template <class Visit>
void PairCounter<Sum>::add_rows(const Node<Sum>& node, const Visit& visit) {
    if (counts_blocks_) {
        visit([&](std::uint32_t row) {
            add_sums<block_shift>(node, row, 2, block_sums_.data());
        });
    } else {
        visit([&](std::uint32_t row) {
            add_sums<0>(node, row, reader_.size(), cell_sums_.data());
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
    add_rows(node, [&](const auto& add) {
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
        sort_by_cell(node.row_cells.data() + index, node.histograms.size(),
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

/// Add the rows up to local cell `cell` of the column taken.
template <class Sum>
void PairCounter<Sum>::advance_to(const Node<Sum>& node, std::uint32_t cell) {
    add_rows(node, [&](const auto& add) {
        for (; n_taken_ < column_ends_[cell]; ++n_taken_) {
            const std::uint32_t row = column_rows_[n_taken_];
            mask_[row / 64] |= std::uint64_t{1} << row % 64;
            add(row);
        }
    });
}

template <class Sum>
void PairCounter<Sum>::mask_planes(const Node<Sum>& node) {
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        std::vector<MaskWord>& masked = masked_planes_[slot];
        masked.resize(node.planes[slot].size());
        std::size_t n = 0;
        for (const MaskWord& plane : node.planes[slot]) {
            const std::uint64_t bits = plane.bits & mask_[plane.word];
            masked[n] = {bits, plane.word, plane.shift};
            n += bits != 0;
        }
        masked.resize(n);
    }
}

template <class Sum>
void PairCounter<Sum>::count_bits(const Node<Sum>& node, std::uint32_t from) {
    if (node.n_bits == 0) return;
    mask_planes(node);
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        const std::vector<MaskWord>& masked = masked_planes_[slot];
        kernels_.count({node.bits.data() + from, node.bit_stride}, masked.data(),
                       masked.size(), both_.data() + slot * node.width + from,
                       node.bit_stride - from);
        if (n_aside_ > 0) {
            kernels_.count({aside_bits_.data(), aside_stride_}, masked.data(),
                           masked.size(), aside_both_.data() + slot * aside_stride_,
                           (n_aside_ + 7) / 8 * 8);
        }
    }
}

template <class Sum>
void PairCounter<Sum>::count_cells(const Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        Sum* both = both_.data() + slot * node.width + node.bit_stride;
        const Sum* yes = node.yes.data() + slot * node.width + node.bit_stride;
        for (const HistogramColumn& column : node.histograms) {
            Sum sum = 0;
            const std::uint32_t end = column.first + column.n_cells;
            for (std::uint32_t cell = column.first; cell < end; ++cell) {
                sum += cell_sums_[static_cast<std::size_t>(cell) * slots + slot];
                both[cell] = sum;
            }
        }
        if (counts_complement_) {
            for (std::uint32_t cell = 0; cell < node.n_cells; ++cell) {
                both[cell] = yes[cell] - both[cell];
            }
        }
        for (std::uint32_t cell = node.n_cells; node.bit_stride + cell < node.width;
             ++cell) {
            both[cell] = 0;
        }
    }
}

template <class Sum>
PairRow<Sum> PairCounter<Sum>::row(const Node<Sum>& node, std::uint32_t split,
                                   std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        first_sums_[slot] = node.yes[slot * node.width + split];
    }
    const SumLayout& layout = reader_.layout();
    return {both_.data() + from,
            node.yes.data() + from,
            node.width,
            node.width,
            first_sums_.data(),
            node.total.data(),
            to - from,
            static_cast<Sum>(reader_.floor()),
            static_cast<Sum>(min_count_),
            layout.n_labels,
            layout.counts_rows};
}

template <class Sum>
void PairCounter<Sum>::set_aside(const Node<Sum>& node, std::uint32_t split) {
    const std::uint32_t slots = reader_.size();
    if (n_aside_ == 0) {
        aside_stride_ = node.bit_stride;
        aside_bits_.assign(static_cast<std::size_t>(node.n_words) * aside_stride_, 0);
        aside_yes_.assign(static_cast<std::size_t>(slots) * aside_stride_, 0);
        aside_both_.assign(static_cast<std::size_t>(slots) * aside_stride_, 0);
    }
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        aside_bits_[word * aside_stride_ + n_aside_] =
            node.bits[word * node.bit_stride + split];
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        aside_yes_[slot * aside_stride_ + n_aside_] =
            node.yes[slot * node.width + split];
    }
    ++n_aside_;
}

template <class Sum>
PairRow<Sum> PairCounter<Sum>::row_aside(const Node<Sum>& node, std::uint32_t split) {
    PairRow<Sum> out = row(node, split, 0, 0);
    out.both = aside_both_.data();
    out.second = aside_yes_.data();
    out.both_stride = out.second_stride = aside_stride_;
    out.n = n_aside_;
    return out;
}

template class PairCounter<std::int32_t>;
template class PairCounter<std::int64_t>;

}  // namespace ostrya
