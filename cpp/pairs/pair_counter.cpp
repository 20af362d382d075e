#include "pairs/pair_counter.hpp"

namespace ostrya {

template <class Sum>
PairCounter<Sum>::PairCounter(const NodeBuilder<Sum>& builder, MemoryBudget& memory)
    : reader_(builder.reader()),
      kernels_(builder.kernels()),
      cells_(reader_, kernels_, memory),
      mask_(memory),
      masked_planes_(reader_.size(), Vector<MaskWord>(memory), memory),
      both_(memory),
      first_sums_(reader_.size(), 0, memory),
      aside_bits_(memory),
      aside_yes_(memory),
      aside_both_(memory) {}

template <class Sum>
void PairCounter<Sum>::count_pairs(const Node<Sum>& node, std::uint32_t split) {
    clear_aside();
    node.mask_of(split, mask_);
    both_.resize(std::size_t{reader_.size()} * node.splits.width);
    count_bits(node, 0);
    if (node.histograms.empty()) return;
    cells_.sum_columns(node, mask_);
    count_cells(node);
}

template <class Sum>
void PairCounter<Sum>::start_bit(const Node<Sum>& node, std::uint32_t split,
                                 bool by_blocks) {
    node.mask_of(split, mask_);
    both_.resize(std::size_t{reader_.size()} * node.splits.width);
    if (!node.histograms.empty()) cells_.sum_rows(node, mask_, by_blocks);
}

template <class Sum>
void PairCounter<Sum>::start_column(const Node<Sum>& node, std::uint32_t index,
                                    bool by_blocks) {
    mask_.assign(node.rows.n_words, 0);
    both_.resize(std::size_t{reader_.size()} * node.splits.width);
    cells_.start_column(node, index, by_blocks);
}

template <class Sum>
void PairCounter<Sum>::mask_planes(const Node<Sum>& node) {
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        const Vector<MaskWord>& planes = node.rows.planes.words[slot];
        Vector<MaskWord>& masked = masked_planes_[slot];
        masked.resize(planes.size());
        std::size_t n = 0;
        for (const MaskWord& plane : planes) {
            const std::uint64_t bits = plane.bits & mask_[plane.word];
            masked[n] = {bits, plane.word, plane.shift};
            n += bits != 0;
        }
        masked.resize(n);
    }
}

template <class Sum>
void PairCounter<Sum>::count_bits(const Node<Sum>& node, std::uint32_t from) {
    if (node.bits.n == 0) return;
    mask_planes(node);
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        const Vector<MaskWord>& masked = masked_planes_[slot];
        kernels_.count(node.bits.from(from), masked.data(), masked.size(),
                       both_.data() + std::size_t{slot} * node.splits.width + from,
                       node.bits.stride - from);
        if (n_aside_ > 0) {
            kernels_.count({aside_bits_.data(), aside_stride_}, masked.data(),
                           masked.size(),
                           aside_both_.data() + std::size_t{slot} * aside_stride_,
                           (n_aside_ + 7) / 8 * 8);
        }
    }
}

template <class Sum>
void PairCounter<Sum>::sum_first(const Node<Sum>& node, std::uint32_t split) {
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        first_sums_[slot] = node.splits.sum(slot, split);
    }
}

template <class Sum>
void PairCounter<Sum>::lower_by_blocks(const Node<Sum>& node, std::uint32_t split,
                                       ChildBest<Sum>& best) {
    sum_first(node, split);
    cells_.lower_by_blocks(node, mask_, first_sums_, best);
}

template <class Sum>
PairRow<Sum> PairCounter<Sum>::row(const Node<Sum>& node, std::uint32_t split,
                                   std::uint32_t from, std::uint32_t to) {
    sum_first(node, split);
    const SumLayout& layout = reader_.layout();
    return {both_.data() + from,
            node.splits.yes.data() + from,
            node.splits.width,
            node.splits.width,
            first_sums_.data(),
            node.rows.total.data(),
            to - from,
            reader_.kernel_floor(),
            reader_.kernel_min_count(),
            layout.n_labels,
            layout.counts_rows,
            layout.mark_slot()};
}

template <class Sum>
void PairCounter<Sum>::set_aside(const Node<Sum>& node, std::uint32_t split) {
    const std::uint32_t slots = reader_.size();
    if (n_aside_ == 0) {
        aside_stride_ = node.bits.stride;
        aside_bits_.assign(std::size_t{node.rows.n_words} * aside_stride_, 0);
        aside_yes_.assign(std::size_t{slots} * aside_stride_, 0);
        aside_both_.assign(std::size_t{slots} * aside_stride_, 0);
    }
    for (std::uint32_t word = 0; word < node.rows.n_words; ++word) {
        aside_bits_[std::size_t{word} * aside_stride_ + n_aside_] =
            node.bits.words[std::size_t{word} * node.bits.stride + split];
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        aside_yes_[std::size_t{slot} * aside_stride_ + n_aside_] =
            node.splits.sum(slot, split);
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
