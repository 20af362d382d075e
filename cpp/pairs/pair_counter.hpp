/// Counts one first split of a node against all second splits.
///
/// For bit columns the first split's row mask is counted by popcounts. For histogram
/// columns the rows of the mask are summed into cells and accumulated. From one cut of
/// a histogram column to the next only the rows between enter or leave.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace ostrya {

template <class Sum>
class PairCounter {
public:
    PairCounter(const Problem& problem, const NodeBuilder<Sum>& builder);

    /// Rows of `node` that answer yes to `split`, one bit each.
    static void mask_of(const Node<Sum>& node, std::uint32_t split,
                        std::vector<std::uint64_t>& mask);

    /// Count one first split, of any kind, against all second splits.
    void count_pairs(const Node<Sum>& node, std::uint32_t split);

    /// Start over with bit column `split` as the first split. With `by_blocks` cells
    /// are asked for by `lower_by_blocks` only.
    void take_bit_column(const Node<Sum>& node, std::uint32_t split, bool by_blocks);

    /// Start over with a histogram column; then go from cut to cut, the closer the
    /// better.
    void take_histogram(const Node<Sum>& node, std::uint32_t index, bool by_blocks);
    void move_to(const Node<Sum>& node, std::uint32_t cell);

    /// Count the bit columns from `from` on, and fill that part of the row.
    void count_bits(const Node<Sum>& node, std::uint32_t from);
    void count_cells(const Node<Sum>& node);

    /// Lower the best losses of both children by the histogram columns, looking only
    /// into blocks of cells that can do so. Two classes only.
    void lower_by_blocks(const Node<Sum>& node, std::uint32_t split,
                         ChildBest<Sum>& best);

    /// The counted row, as kernels want it; second splits in [from, to).
    PairRow<Sum> row(const Node<Sum>& node, std::uint32_t split, std::uint32_t from,
                     std::uint32_t to);

    /// Bit columns set aside: they are never first, yet stay second splits of others.
    void clear_aside() { n_aside_ = 0; }
    void set_aside(const Node<Sum>& node, std::uint32_t split);
    std::uint32_t n_aside() const { return n_aside_; }
    PairRow<Sum> row_aside(const Node<Sum>& node, std::uint32_t split);

    const std::vector<Sum>& both() const { return both_; }
    std::size_t bytes() const;

private:
    void mask_planes(const Node<Sum>& node);
    void sum_columns(const Node<Sum>& node);
    void begin_sums(const Node<Sum>& node, bool by_blocks);
    template <int sign, class Visit>
    void add_rows(const Node<Sum>& node, const Visit& visit);
    void accumulate_blocks(const Node<Sum>& node);
    void look_into(const Node<Sum>& node, std::size_t index, std::size_t block,
                   ChildBest<Sum>& best);
    const Sum* cells_of(const Node<Sum>& node, std::size_t index, std::size_t block);

    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    std::uint32_t min_count_;

    std::vector<std::uint64_t> mask_;
    std::vector<std::vector<MaskWord>> masked_planes_;
    std::vector<Sum> both_;        // slots x width
    std::vector<Sum> cell_sums_;   // cells x slots, rows of the mask
    std::vector<Sum> first_sums_;  // slots
    // Of the histogram column taken: its rows by cell, and where each cell ends.
    const std::uint32_t* column_rows_ = nullptr;
    const std::uint32_t* column_ends_ = nullptr;
    std::vector<std::uint32_t> sorted_rows_, cell_ends_;  // if the node has none
    std::uint32_t n_taken_ = 0;
    std::vector<Sum> block_sums_;      // blocks x slots
    std::vector<Sum> before_, after_;  // slots x blocks
    std::vector<std::uint8_t> open_blocks_;
    Sum block_cells_[2 * cells_per_block] = {};  // of the block that is looked into
    bool counts_blocks_ = false;      // rows are summed into blocks, not into cells
    bool counts_complement_ = false;  // sums hold the rows outside the mask

    std::vector<std::uint64_t> aside_bits_;
    std::vector<Sum> aside_yes_;
    std::vector<Sum> aside_both_;
    std::uint32_t n_aside_ = 0;
    std::uint32_t aside_stride_ = 0;
};

}  // namespace ostrya
