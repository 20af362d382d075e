/// The other threads of a Top-k search: each runs the same search over one memo, away
/// from the others where it can (top_k_solver.hpp). Whoever is through with the root
/// first ends it for all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/shared_incumbent.hpp"
#include "threads/thread_group.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {

/// What a thread needs of its own: a clock, and a solver with its levels.
template <class Nodes>
class TopKWorker {
public:
    /// `first` is the context of the first thread.
    TopKWorker(const SearchContext& first, const typename Nodes::Table& table)
        : stop_(std::nullopt), solver_(first.on_thread(stop_, statistics_), table) {}

    /// Search until somebody ends it, or all is proved: says whether it was this one
    /// that proved it.
    bool run(Limits limits, std::uint32_t width, Bracket best,
             SharedIncumbent& incumbent);

    const Statistics& statistics() const { return statistics_; }

private:
    StopSign stop_;
    Statistics statistics_;
    TopKSolver<Nodes> solver_;
    bool has_root_ = false;
};

template <class Nodes>
class TopKWorkerGroup {
public:
    /// Make workers for the search that a solver has begun, as many as there is memory
    /// for.
    TopKWorkerGroup(const SearchContext& context, const typename Nodes::Table& table,
                    TopKSolver<Nodes>& first);

    using Look = typename TopKSolver<Nodes>::Look;

    /// Solve the root together with the first solver, at the width that is set there;
    /// `look` is called between its candidates.
    void solve(Limits limits, Bracket& best, const Look& look);

    /// Add what the workers counted to the counts of the first solver.
    void conclude();

private:
    TopKSolver<Nodes>& first_;
    StopSign& stop_;  // of the first thread
    std::vector<std::unique_ptr<TopKWorker<Nodes>>> workers_;
};

}  // namespace ostrya
