/// Second splits in histogram columns, found through blocks of cells.
#include <algorithm>
#include <utility>

#include "pairs/pair_counter.hpp"

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
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const HistogramColumn& column = node.histograms[index];
        const std::size_t first = column.first / cells_per_block;
        const std::size_t end = first + column.n_cells / cells_per_block;
        for (std::size_t block = first; block < end; ++block) {
            if (open_blocks_[block]) look_into(node, index, block, best);
        }
    }
    if (counts_complement_) std::swap(best.yes_two, best.no_two);
}

/// Sums of the mask's rows before and after each block, column by column.
template <class Sum>
void PairCounter<Sum>::accumulate_blocks(const Node<Sum>& node) {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    before_.resize(2 * n_blocks);
    after_.resize(2 * n_blocks);
    if (!counts_blocks_) {
        block_sums_.resize(2 * n_blocks);
        kernels_.sum_blocks(cell_sums_.data(), n_blocks, block_sums_.data());
    }
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

/// The sums of a block's cells, counted now if rows were summed into blocks.
template <class Sum>
const Sum* PairCounter<Sum>::cells_of(const Node<Sum>& node, std::size_t index,
                                      std::size_t block) {
    const std::size_t cell = block * cells_per_block;
    if (!counts_blocks_) return cell_sums_.data() + 2 * cell;
    const std::uint32_t* rows = node.cell_rows.data() + index * node.n_rows;
    std::uint32_t at =
        cell == node.histograms[index].first ? 0 : node.cell_ends[cell - 1];
    for (std::size_t local = 0; local < cells_per_block; ++local) {
        Sum sum0 = 0, sum1 = 0;
        for (; at < node.cell_ends[cell + local]; ++at) {
            const std::uint32_t row = rows[at];
            const bool is_yes = mask_[row / 64] >> row % 64 & 1;
            const Sum keep = -static_cast<Sum>(is_yes != counts_complement_);
            sum0 += node.row_sums[2 * std::size_t{row}] & keep;
            sum1 += node.row_sums[2 * std::size_t{row} + 1] & keep;
        }
        block_cells_[2 * local] = sum0;
        block_cells_[2 * local + 1] = sum1;
    }
    return block_cells_;
}

/// Every cut of one block.
template <class Sum>
void PairCounter<Sum>::look_into(const Node<Sum>& node, std::size_t index,
                                 std::size_t block, ChildBest<Sum>& best) {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    const Sum first0 = first_sums_[0], first1 = first_sums_[1];
    const Sum rest0 = node.total[0] - first0, rest1 = node.total[1] - first1;
    Sum both0 = before_[block], both1 = before_[n_blocks + block];
    const std::size_t cell = block * cells_per_block;
    const Sum* yes0 = node.yes.data() + node.bit_stride + cell;
    const Sum* yes1 = yes0 + node.width;
    const Sum* sums = cells_of(node, index, block);
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
