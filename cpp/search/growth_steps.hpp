/// The steps by which any tree is grown from the top: a leaf, or both children of a
/// split, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bounds/leaf_optimal.hpp"
#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class GrowthSteps {
public:
    /// Grows at the levels of this solver.
    GrowthSteps(const SearchContext& context, Solver<Sum>& solver)
        : problem_(context.problem),
          most_levels_(context.tuning().first_trees.most_levels),
          solver_(solver),
          branching_(solver.branching) {}

    Level<Sum>& level_at(std::size_t depth) { return branching_.level_at(depth); }

    /// Offer the node as a leaf; returns whether nothing may grow below it.
    bool ends_as_leaf(std::size_t depth, Limits limits, Bracket& best) {
        const Node<Sum>& node = level_at(depth).node;
        const Weight loss = solver_.builder.reader().loss(node.rows.total.data(), 1);
        best.offer_leaf(problem_.scale.cost(loss, 1));
        return limits.depth == 0 || limits.leaves == 1 || depth >= most_levels_ ||
               leaf_is_optimal(loss, problem_.scale, solver_.switches.leaf_optimal);
    }

    /// Grow trees below both children of a split, each with `grow(depth, limits)`; the
    /// second may have the leaves that the first left.
    template <class Grow>
    void descend(std::size_t depth, std::uint32_t split, Limits limits,
                 const Grow& grow, Bracket& best) {
        Level<Sum>& level = level_at(depth);
        level.partition.split(level.node, split);
        if (!branching_.make_room(depth, level.child_bytes())) return;
        Level<Sum>& child = level_at(depth + 1);
        Limits below = limits.child();
        level.partition.build(solver_.builder, level.node, true, child.node);
        const Bracket yes = grow(depth + 1, below);
        if (limits.leaves != Limits::unlimited) {
            below.leaves = limits.leaves - branching_.n_leaves(yes);
        }
        level.partition.build(solver_.builder, level.node, false, child.node);
        const Bracket no = grow(depth + 1, below);
        branching_.join(level.node.splits.names[split], yes, no, best);
    }

private:
    const Problem& problem_;
    const std::size_t most_levels_;
    Solver<Sum>& solver_;
    Branching<Level<Sum>>& branching_;
};

}  // namespace ostrya
