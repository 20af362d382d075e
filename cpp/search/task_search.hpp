/// The search of some splits of a root, beside others that search the rest elsewhere.
///
/// Trees of depth two and first trees are known to whoever asks; so the root is not
/// scanned in pairs again, and only the splits that are its own are explored, each up
/// to the cost that all share. What it proves of them, and of others along their
/// columns, is its result.
#pragma once

#include "search/checkpoint_store.hpp"
#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class TaskSearch {
public:
    /// The options have a part.
    explicit TaskSearch(const SearchContext& context);

    Result run();

private:
    void restore(Bracket& best);
    void keep(const Bracket& best);
    void mark_own();
    Cost goal(const Bracket& best) const;
    void explore_splits(Limits limits, Bracket& best);
    Result conclude(const Bracket& best);

    const Problem& problem_;
    const Options& options_;
    const RootPart& part_;
    StopSign& stop_;
    MemoryBudget& memory_;
    SharedFacts& facts_;
    Statistics& statistics_;
    Solver<Sum> solver_;
    Level<Sum>& root_;
    CheckpointStore<Sum> checkpoint_;
    Vector<std::uint8_t> is_own_;  // by place in the root
    SearchAge before_;             // of the search that this one goes on from
};

}  // namespace ostrya
