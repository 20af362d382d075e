/// The root's first trees: those before pairs are scanned, and those below the best
/// pair.
///
/// Which ones and for which depths; how each is grown is in first_tree.hpp.
#pragma once

#include "search/deepening.hpp"
#include "search/first_tree.hpp"

namespace ostrya {

template <class Sum>
class RootGrowth {
public:
    /// Grows from the root of this solver; small depths get their turns in between.
    RootGrowth(const SearchContext& context, Solver<Sum>& solver,
               Deepening<Sum>& deepening)
        : problem_(context.problem),
          tuning_(context.tuning().first_trees),
          solver_(solver),
          branching_(solver.branching),
          deepening_(deepening),
          stop_(context.stop),
          first_tree_(context, solver) {}

    // The next two say whether the root is settled; the first one also where the search
    // has to end.

    /// What comes before pairs are scanned for deeper trees.
    bool before_pairs(Limits limits, Cost budget, Bracket& best);
    /// Trees below the best pair.
    bool below_pair(const BestPair& found, Limits limits, Cost budget, Bracket& best);

    FirstTree<Sum>& first_tree() { return first_tree_; }

private:
    bool grow_before_pairs(Limits limits, Cost budget, Bracket& best);
    void release();
    void grow_early(Limits limits, bool scan_is_long, Cost budget, Bracket& best);
    void grow_purest(Limits limits, Bracket& best);
    void grow_early_within(Limits limits, Bracket& best);
    void grow_below(const BestPair& found, Limits limits, bool is_first, Cost budget,
                    Bracket& best);
    bool leaves_are_free(Limits limits) const;
    bool is_long(Limits limits, std::uint32_t most_leaves) const;

    const Problem& problem_;
    const Tuning::FirstTrees& tuning_;
    Solver<Sum>& solver_;
    Branching<Level<Sum>>& branching_;
    Deepening<Sum>& deepening_;
    StopSign& stop_;
    FirstTree<Sum> first_tree_;
};

}  // namespace ostrya
