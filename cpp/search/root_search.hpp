/// The search of the root: the steps of any node, and all that only the root needs.
///
/// It grows a first tree, tells the world how far the proof is, raises the bounds of
/// its splits in steps, so that the root's lower bound rises all the while, and has
/// trees of small depth searched beside.
#pragma once

#include "search/deepening.hpp"
#include "search/first_tree.hpp"
#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class RootSearch {
public:
    RootSearch(const Problem& problem, const Options& options, StopSign& stop,
               Progress& progress, MemoryBudget& memory);

    Result run();

private:
    Bracket unsearched(Weight loss) const;
    Bracket solve(Limits limits, Cost budget);
    void grow_early(Limits limits, Bracket& best);
    void grow_early_within(Limits limits, Bracket& best);
    void grow_first_trees(const BestPair& found, Limits limits, Cost budget,
                          Bracket& best);
    bool leaves_are_free(Limits limits) const;
    void grow_first_tree(const BestPair& found, Limits limits, Cost budget,
                         Bracket& best);
    void look_between(Cost budget, Bracket& best);
    void branch(Limits limits, Cost budget, Cost shallow, Bracket& best);
    Cost cap_of(const SplitChoice& choice, Cost goal) const;

    const Problem& problem_;
    const Options& options_;
    StopSign& stop_;
    Facts facts_;
    Solver<Sum> solver_;
    Branching<Level<Sum>>& branching_;
    FirstTree<Sum> first_tree_;
    Deepening<Sum> deepening_;
};

}  // namespace ostrya
