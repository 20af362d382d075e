#include "pairs/pair_counter.hpp"

namespace ostrya {

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
    const std::uint32_t* cells =
        node.column_cells.data() + std::size_t{index} * node.n_rows;
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const bool is_yes = cells[row] <= cell;
        mask[row / 64] |= std::uint64_t{is_yes} << row % 64;
    }
}

template <class Sum>
void PairCounter<Sum>::count_pairs(const Node<Sum>& node, std::uint32_t split) {
    clear_aside();
    mask_of(node, split, mask_);
    both_.resize(reader_.size() * node.width);
    count_bits(node, 0);
    if (node.n_cells == 0) return;
    counts_complement_ = false;
    sum_columns(node);
    count_cells(node);
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
