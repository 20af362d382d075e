/// Counts one first split of a node against all second splits.
///
/// For bit columns the first split's row mask is counted by popcounts; for histogram
/// columns its rows are summed by cells (cell_counter.hpp).
#pragma once

#include <cstdint>

#include "node/node_builder.hpp"
#include "pairs/cell_counter.hpp"

namespace ostrya {

template <class Sum>
class PairCounter {
public:
    PairCounter(const NodeBuilder<Sum>& builder, MemoryBudget& memory);

    /// Count one first split, of any kind, against all second splits.
    void count_pairs(const Node<Sum>& node, std::uint32_t split);

    /// Start over with bit column `split` as the first split. With `by_blocks` cells
    /// are asked for by `lower_by_blocks` only.
    void start_bit(const Node<Sum>& node, std::uint32_t split, bool by_blocks);

    /// Start over with a histogram column; then go from cut to cut, the closer the
    /// better.
    void start_column(const Node<Sum>& node, std::uint32_t index, bool by_blocks);
    void move_to(const Node<Sum>& node, std::uint32_t cell) {
        cells_.move_to(node, cell, mask_);
    }

    /// Count the bit columns from `from` on, or the cells, and fill that part of the
    /// row.
    void count_bits(const Node<Sum>& node, std::uint32_t from);
    void count_cells(const Node<Sum>& node) {
        cells_.accumulate(node, both_.data() + node.bits.stride);
    }

    /// Lower the best losses of both children by the histogram columns, looking only
    /// into blocks of cells that can do so.
    void lower_by_blocks(const Node<Sum>& node, std::uint32_t split,
                         ChildBest<Sum>& best);

    /// Rows and cells that `lower_by_blocks` has swept since the last call.
    std::uint64_t take_swept() { return cells_.take_swept(); }

    /// The counted row, as kernels want it; second splits in [from, to).
    PairRow<Sum> row(const Node<Sum>& node, std::uint32_t split, std::uint32_t from,
                     std::uint32_t to);

    /// Bit columns set aside: they are never first, yet stay second splits of others.
    void clear_aside() { n_aside_ = 0; }
    void set_aside(const Node<Sum>& node, std::uint32_t split);
    std::uint32_t n_aside() const { return n_aside_; }
    PairRow<Sum> row_aside(const Node<Sum>& node, std::uint32_t split);

    /// Sums of the rows that answer yes to both splits: slots x width.
    const Vector<Sum>& both() const { return both_; }

private:
    void mask_planes(const Node<Sum>& node);
    void sum_first(const Node<Sum>& node, std::uint32_t split);

    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    CellCounter<Sum> cells_;
    Vector<std::uint64_t> mask_;
    Vector<Vector<MaskWord>> masked_planes_;  // by slot
    Vector<Sum> both_;
    Vector<Sum> first_sums_;  // per slot

    Vector<std::uint64_t> aside_bits_;
    Vector<Sum> aside_yes_, aside_both_;
    std::uint32_t n_aside_ = 0;
    std::uint32_t aside_stride_ = 0;
};

}  // namespace ostrya
