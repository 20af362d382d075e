/// Second splits in histogram columns, found through blocks of cells.
#include <algorithm>
#include <utility>

#include "search/pair_counter.hpp"

namespace ostrya {

template <class Sum>
void PairCounter<Sum>::lower_by_blocks(const Node<Sum>& node, std::uint32_t split,
                                       ChildBest<Sum>& best) {
    accumulate_blocks(node);
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    PairRow<Sum> ends = row(node, split, 0, 0);
    if (counts_complement_) {
        // The rows summed are those that answer no: let the children change places.
        for (std::uint32_t slot = 0; slot < 2; ++slot) {
            first_sums_[slot] = node.total[slot] - first_sums_[slot];
        }
        std::swap(best.yes_two, best.no_two);
    }
    // The ends of blocks first: they are cuts themselves and give a good start.
    ends.both = after_.data();
    ends.second = node.yes_after.data();
    ends.both_stride = ends.second_stride = n_blocks;
    ends.n = n_blocks;
    const ChildBest<Sum> at_ends = kernels_.pair_losses(ends);
    best.yes_two = std::min(best.yes_two, at_ends.yes_two);
    best.no_two = std::min(best.no_two, at_ends.no_two);

    open_blocks_.resize(n_blocks);
    const BlockRow<Sum> blocks{
        before_.data(),        after_.data(), node.yes_before.data(),
        node.yes_after.data(), n_blocks,      first_sums_.data(),
        node.total.data(),     n_blocks};
    kernels_.mark_blocks(blocks, best, open_blocks_.data());
    for (std::size_t block = 0; block < n_blocks; ++block) {
        if (open_blocks_[block]) look_into(node, block, best);
    }
    if (counts_complement_) std::swap(best.yes_two, best.no_two);
}

/// Sums of the mask's rows before and after each block, column by column.
template <class Sum>
void PairCounter<Sum>::accumulate_blocks(const Node<Sum>& node) {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    block_sums_.resize(2 * n_blocks);
    before_.resize(2 * n_blocks);
    after_.resize(2 * n_blocks);
    kernels_.sum_blocks(cell_sums_.data(), n_blocks, block_sums_.data());
    for (const HistogramColumn& column : node.histograms) {
        const std::size_t first = column.first / cells_per_block;
        const std::size_t end = first + column.n_cells / cells_per_block;
        Sum sum0 = 0, sum1 = 0;
        for (std::size_t block = first; block < end; ++block) {
            before_[block] = sum0;
            before_[n_blocks + block] = sum1;
            after_[block] = sum0 += block_sums_[2 * block];
            after_[n_blocks + block] = sum1 += block_sums_[2 * block + 1];
        }
    }
}

/// Every cut of one block.
template <class Sum>
void PairCounter<Sum>::look_into(const Node<Sum>& node, std::size_t block,
                                 ChildBest<Sum>& best) const {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    const Sum first0 = first_sums_[0], first1 = first_sums_[1];
    const Sum rest0 = node.total[0] - first0, rest1 = node.total[1] - first1;
    Sum both0 = before_[block], both1 = before_[n_blocks + block];
    const std::size_t cell = block * cells_per_block;
    const Sum* yes0 = node.yes.data() + node.bit_stride + cell;
    const Sum* yes1 = yes0 + node.width;
    const Sum* sums = cell_sums_.data() + 2 * cell;
    Sum yes = best.yes_two, no = best.no_two;
    for (std::size_t at = 0; at < cells_per_block; ++at) {
        both0 += sums[2 * at];
        both1 += sums[2 * at + 1];
        const Sum second0 = yes0[at] - both0, second1 = yes1[at] - both1;
        yes = std::min<Sum>(
            yes, std::min(both0, both1) + std::min(first0 - both0, first1 - both1));
        no = std::min<Sum>(no, std::min(second0, second1) +
                                   std::min(rest0 - second0, rest1 - second1));
    }
    best.yes_two = yes;
    best.no_two = no;
}

template void PairCounter<std::int32_t>::lower_by_blocks(const Node<std::int32_t>&,
                                                         std::uint32_t,
                                                         ChildBest<std::int32_t>&);
template void PairCounter<std::int64_t>::lower_by_blocks(const Node<std::int64_t>&,
                                                         std::uint32_t,
                                                         ChildBest<std::int64_t>&);

}  // namespace ostrya
