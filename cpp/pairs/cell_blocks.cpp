#include "pairs/cell_blocks.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {

template <class Sum>
CellBlocks<Sum>::CellBlocks(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
                            MemoryBudget& memory)
    : reader_(reader),
      kernels_(kernels),
      block_sums_(memory),
      before_(memory),
      after_(memory),
      open_(memory) {}

template <class Sum>
void CellBlocks<Sum>::lower(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                            const CellSums<Sum>& sums, const Vector<Sum>& first,
                            ChildBest<Sum>& best) {
    accumulate(node, sums);
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
        first_[slot] =
            sums.counts_complement ? node.rows.total[slot] - first[slot] : first[slot];
    }
    // Where the rows summed are those that answer no, the children change places.
    if (sums.counts_complement) std::swap(best.yes_two, best.no_two);
    // The ends of blocks first: they are cuts themselves and give a good start.
    const ChildBest<Sum> at_ends = best_at_ends(node);
    best.yes_two = std::min(best.yes_two, at_ends.yes_two);
    best.no_two = std::min(best.no_two, at_ends.no_two);

    const Histograms<Sum>& histograms = node.histograms;
    const std::size_t n_blocks = histograms.n_blocks();
    open_.resize(n_blocks);
    const BlockRow<Sum> blocks{before_.data(),
                               after_.data(),
                               histograms.yes_before.data(),
                               histograms.yes_after.data(),
                               n_blocks,
                               first_,
                               node.rows.total.data(),
                               n_blocks};
    kernels_.mark_blocks(blocks, best, open_.data());
    for (std::size_t index = 0; index < histograms.size(); ++index) {
        const HistogramColumn& column = histograms.columns[index];
        const std::size_t end = column.first_block() + column.n_blocks();
        for (std::size_t block = column.first_block(); block < end; ++block) {
            if (open_[block]) look_into(node, mask, sums, index, block, best);
        }
    }
    if (sums.counts_complement) std::swap(best.yes_two, best.no_two);
}

template <class Sum>
ChildBest<Sum> CellBlocks<Sum>::best_at_ends(const Node<Sum>& node) const {
    const std::size_t n_blocks = node.histograms.n_blocks();
    const SumLayout& layout = reader_.layout();
    return kernels_.pair_losses(
        {after_.data(), node.histograms.yes_after.data(), n_blocks, n_blocks, first_,
         node.rows.total.data(), n_blocks, reader_.kernel_floor(),
         reader_.kernel_min_count(), layout.n_labels, layout.counts_rows});
}

/// Sums of the rows before and after each block, column by column.
template <class Sum>
void CellBlocks<Sum>::accumulate(const Node<Sum>& node, const CellSums<Sum>& sums) {
    const std::size_t n_blocks = node.histograms.n_blocks();
    before_.resize(2 * n_blocks);
    after_.resize(2 * n_blocks);
    const Sum* of_blocks = sums.blocks.data();
    if (!sums.counts_blocks) {
        block_sums_.resize(2 * n_blocks);
        kernels_.sum_blocks(sums.cells.data(), n_blocks, block_sums_.data());
        of_blocks = block_sums_.data();
    }
    for (const HistogramColumn& column : node.histograms.columns) {
        const std::size_t end = column.first_block() + column.n_blocks();
        Sum sum0 = 0, sum1 = 0;
        for (std::size_t block = column.first_block(); block < end; ++block) {
            before_[block] = sum0;
            before_[n_blocks + block] = sum1;
            after_[block] = sum0 += of_blocks[2 * block];
            after_[n_blocks + block] = sum1 += of_blocks[2 * block + 1];
        }
    }
}

/// The sums of a block's cells, counted now if rows were summed into blocks.
template <class Sum>
const Sum* CellBlocks<Sum>::cells_of(const Node<Sum>& node,
                                     const Vector<std::uint64_t>& mask,
                                     const CellSums<Sum>& sums, std::size_t index,
                                     std::size_t block) {
    const std::size_t cell = block * cells_per_block;
    if (!sums.counts_blocks) return sums.cells.data() + 2 * cell;
    const Histograms<Sum>& histograms = node.histograms;
    const std::uint32_t* rows = histograms.sorted_rows.data() + index * node.rows.n;
    const Sum* row_sums = node.rows.sums.data();
    std::uint32_t at =
        cell == histograms.columns[index].first ? 0 : histograms.ends[cell - 1];
    for (std::size_t local = 0; local < cells_per_block; ++local) {
        Sum sum0 = 0, sum1 = 0;
        for (; at < histograms.ends[cell + local]; ++at) {
            const std::uint32_t row = rows[at];
            const bool is_yes = mask[row / 64] >> row % 64 & 1;
            const Sum keep = -static_cast<Sum>(is_yes != sums.counts_complement);
            sum0 += row_sums[2 * std::size_t{row}] & keep;
            sum1 += row_sums[2 * std::size_t{row} + 1] & keep;
        }
        block_cells_[2 * local] = sum0;
        block_cells_[2 * local + 1] = sum1;
    }
    return block_cells_;
}

/// Every cut of one block.
template <class Sum>
void CellBlocks<Sum>::look_into(const Node<Sum>& node,
                                const Vector<std::uint64_t>& mask,
                                const CellSums<Sum>& sums, std::size_t index,
                                std::size_t block, ChildBest<Sum>& best) {
    const std::size_t n_blocks = node.histograms.n_blocks();
    const Sum first0 = first_[0], first1 = first_[1];
    const Sum rest0 = node.rows.total[0] - first0, rest1 = node.rows.total[1] - first1;
    Sum both0 = before_[block], both1 = before_[n_blocks + block];
    const std::size_t cell = block * cells_per_block;
    const Sum* yes0 = node.splits.yes.data() + node.bits.stride + cell;
    const Sum* yes1 = yes0 + node.splits.width;
    const Sum* cells = cells_of(node, mask, sums, index, block);
    Sum yes = best.yes_two, no = best.no_two;
    for (std::size_t at = 0; at < cells_per_block; ++at) {
        both0 += cells[2 * at];
        both1 += cells[2 * at + 1];
        const Sum second0 = yes0[at] - both0, second1 = yes1[at] - both1;
        yes = std::min<Sum>(
            yes, std::min(both0, both1) + std::min(first0 - both0, first1 - both1));
        no = std::min<Sum>(no, std::min(second0, second1) +
                                   std::min(rest0 - second0, rest1 - second1));
    }
    best.yes_two = yes;
    best.no_two = no;
}

template class CellBlocks<std::int32_t>;
template class CellBlocks<std::int64_t>;

}  // namespace ostrya
