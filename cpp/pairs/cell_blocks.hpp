/// Second splits in histogram columns, found through blocks of cells; two classes only.
///
/// Where only losses are wanted, most cells are never looked at: sums at the ends of
/// blocks of cells bound all cuts inside (kernels/blocks.hpp).
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"

namespace ostrya {

/// Rows summed by cell, or by block of cells where cells are sparse.
template <class Sum>
struct CellSums {
    explicit CellSums(MemoryBudget& memory) : cells(memory), blocks(memory) {}

    Vector<Sum> cells;               // cells x slots
    Vector<Sum> blocks;              // blocks x slots
    bool counts_blocks = false;      // rows are summed into blocks, not into cells
    bool counts_complement = false;  // sums hold the rows outside the mask
};

template <class Sum>
class CellBlocks {
public:
    CellBlocks(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
               MemoryBudget& memory);

    /// Lower the best losses of both children of a first split, looking only into
    /// blocks that can do so. `mask` are the rows that answer yes to it, `first` their
    /// sums.
    void lower(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
               const CellSums<Sum>& sums, const Vector<Sum>& first,
               ChildBest<Sum>& best);

private:
    void accumulate(const Node<Sum>& node, const CellSums<Sum>& sums);
    ChildBest<Sum> best_at_ends(const Node<Sum>& node) const;
    void look_into(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                   const CellSums<Sum>& sums, std::size_t index, std::size_t block,
                   ChildBest<Sum>& best);
    const Sum* cells_of(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                        const CellSums<Sum>& sums, std::size_t index,
                        std::size_t block);

    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    Vector<Sum> block_sums_;      // blocks x slots, where rows are summed into cells
    Vector<Sum> before_, after_;  // slots x blocks
    Vector<std::uint8_t> open_;
    Sum first_[2] = {};                          // sums of the side that is counted
    Sum block_cells_[2 * cells_per_block] = {};  // of the block that is looked into
};

}  // namespace ostrya
