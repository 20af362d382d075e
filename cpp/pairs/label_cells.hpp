/// Second splits in histogram columns, found through blocks of cells, for any number of
/// labels.
///
/// What a set of rows loses is its potential less what its best label gains. Gains
/// never shrink as rows are added, so the best label needs no look at all labels: it is
/// the best one so far, or the one that the new row gains by. A sweep up a column has
/// the best gain up to every cut, a sweep down that beyond every cut, each for the rows
/// of both children at once. What the best labels gain at the ends of blocks tells
/// which blocks are worth a sweep (kernels/label_blocks.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"

namespace ostrya {

template <class Sum>
class LabelCells {
public:
    LabelCells(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
               MemoryBudget& memory);

    /// Start over, with no rows.
    void start(const Node<Sum>& node);
    /// Add a row, or remove it if `sign` is -1.
    template <int sign>
    void add(const Node<Sum>& node, std::uint32_t row);

    /// Lower the best losses of both children of a first split, whose rows are in
    /// `mask`. Those that were added are these, or else all others.
    void lower(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
               bool counts_complement, const Vector<Sum>& first, ChildBest<Sum>& best);

    /// Rows and cells of the blocks that were swept since the last call. How many there
    /// are depends on the labels: where these are all but random, it is most of them.
    std::uint64_t take_swept() { return std::exchange(n_swept_, 0); }

private:
    /// Here `yes` is the child with the rows that were added.
    using Pair = OfChildren<Sum>;

    void find_gains(const Node<Sum>& node);
    void count_boundaries(const Node<Sum>& node);
    LabelGains<Sum> gains_from(std::size_t boundary, std::size_t lanes);
    Pair best_boundary(const Node<Sum>& node, Pair best);
    void sweep(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
               bool counts_complement, std::size_t index, std::size_t end, Pair& best);
    bool is_enough(Sum upto, Sum all) const {
        const auto least = reader_.kernel_min_count();
        return upto >= least && all - upto >= least;
    }

    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    Vector<Sum> blocks_;        // boundaries x lanes: rows of the block that ends there
    Vector<Sum> block_counts_;  // and how many, where rows are counted
    Vector<Sum> both_;          // boundaries x lanes: rows up to there
    Vector<Sum> counts_;
    Vector<Sum> yes_upto_, yes_beyond_, no_upto_, no_beyond_;  // see LabelGains
    Vector<Sum> yes_block_, no_block_;
    Vector<std::uint8_t> open_;
    Vector<Sum> first_, total_;  // lanes
    Pair first_count_;
    Vector<Sum> swept_;          // two children x lanes
    std::uint64_t n_swept_ = 0;  // rows and cells, since it was last asked
    Vector<Pair> cell_gains_;    // of a block
};

}  // namespace ostrya
