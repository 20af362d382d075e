/// The search of the root: the steps of any node, and all that only the root needs.
///
/// It grows a first tree, tells the world how far the proof is, raises the bounds of
/// its splits in steps, so that the root's lower bound rises all the while, and has
/// trees of small depth searched beside.
#pragma once

#include <memory>

#include "search/checkpoint_store.hpp"
#include "search/deepening.hpp"
#include "search/root_growth.hpp"
#include "search/solver.hpp"
#include "search/worker_group.hpp"

namespace ostrya {

template <class Sum>
class RootSearch {
public:
    explicit RootSearch(const SearchContext& context);

    Result run();

    // The steps of it, for whoever asks more than one thing of a root.

    /// Build the root; false where there was no time for it.
    bool build();
    /// What is known of the root before anything is searched.
    Bracket unsearched();
    /// The leaf and both scans, which find the best pair; says whether the root is
    /// settled, or the search has to end.
    bool open(Limits limits, Cost budget, BestPair& found, Bracket& best);
    /// Visit children until nothing below the budget is left; `shallow` is what the
    /// best tree of depth two costs.
    void branch(Limits limits, Cost budget, Cost shallow, Bracket& best);

    Branching<Level<Sum>>& branching() { return branching_; }
    RootGrowth<Sum>& growth() { return growth_; }

private:
    void solve(Limits limits, Cost budget, Bracket& best);
    void choose_tree(Limits limits, Cost first, Bracket& best);
    bool is_long(std::uint64_t work) const;
    bool is_long_enough_to_share() const;
    void go_on_from_kept(Bracket& best);
    SearchAge age() const;
    void keep_if_due(const Bracket& best);
    void start_workers(Limits limits, Cost budget, const Bracket& best);
    SplitChoice next_split(Cost goal, Bracket& best);
    void end_workers(Cost shallow, Bracket& best);

    SearchContext context_;
    const Problem& problem_;
    const Options& options_;
    StopSign& stop_;
    SharedFacts& facts_;
    Solver<Sum> solver_;
    Branching<Level<Sum>>& branching_;
    Deepening<Sum> deepening_;
    RootGrowth<Sum> growth_;
    CheckpointStore<Sum> checkpoint_;
    bool is_opened_ = false;  // so that the splits of the root have bounds
    SearchAge before_;        // of the search that this one goes on from
    std::unique_ptr<WorkerGroup<Sum>>
        workers_;  // none until the search is known to be long
};

}  // namespace ostrya
