/// A good first tree, quickly: best depth-two look-ahead at each node, then its
/// children.
///
/// The search needs a tree to beat, and the caller one to have when time runs out.
/// Every tree here is one that the search could find; nothing is proved.
#pragma once

#include <cstdint>
#include <functional>

#include "search/growth_steps.hpp"
#include "search/purities.hpp"

namespace ostrya {

/// How hard a greedy tree is tried for.
struct GreedyPlan {
    bool persists = false;  // it grows on where no pair of splits lowers the loss
    bool is_first = true;   // later ones have less effort
};

template <class Sum>
class FirstTree {
public:
    /// Grows below the root of this solver, at its levels.
    FirstTree(const SearchContext& context, Solver<Sum>& solver)
        : solver_(solver),
          scan_(solver.scan),
          tuning_(context.tuning().first_trees),
          stop_(context.stop),
          steps_(context, solver),
          purities_(context.problem, context.memory) {}

    /// Whether scanning the pairs of a root takes so long that a tree is wanted before.
    bool is_wanted_early(const Node<Sum>& root) const;

    /// A tree below both children of a root split, within a bounded effort.
    void grow(std::uint32_t split, Limits limits, GreedyPlan plan, Bracket& best);

    /// The same below the purest split, with less effort, before pairs are scanned.
    void grow_quickly(Limits limits, Bracket& best);

    /// A large tree soon: purest splits all the way, with no scan of pairs.
    void grow_purest(Limits limits, Bracket& best);

    /// A better one, for a search that will be long; `between` is called before each
    /// part of it, and may lower the best cost.
    void grow_with_care(Limits limits, const std::function<void()>& between,
                        Bracket& best);

private:
    /// How a tree is grown: how much may be looked at, and whether it goes on where no
    /// pair of splits pays.
    struct Growth {
        ScanEffort effort;
        bool persists = false;
    };
    using Grow = Bracket (FirstTree::*)(std::size_t depth, Limits limits, Growth&);

    Bracket greedy(std::size_t depth, Limits limits, Growth& growth);
    Bracket purest(std::size_t depth, Limits limits);
    Bracket careful(std::size_t depth, Limits limits, Growth& growth);
    Bracket exact_below(std::size_t depth, Limits limits, Growth& growth);
    Bracket look_ahead(std::size_t depth, Limits limits, Growth& growth,
                       Grow grow_below);
    std::uint32_t try_columns(std::size_t depth, Limits limits, Growth& growth,
                              const std::function<void()>& between, Bracket& best);
    void descend(std::size_t depth, std::uint32_t split, Limits limits, Growth& growth,
                 Grow grow_below, Bracket& best);

    Solver<Sum>& solver_;
    PairScan<Sum>& scan_;
    const Tuning::FirstTrees& tuning_;
    StopSign& stop_;
    GrowthSteps<Sum> steps_;
    Purities<Sum> purities_;
};

}  // namespace ostrya
