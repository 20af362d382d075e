/// The other threads of a Top-k search: each runs the same search over one memo, away
/// from the others where it can (top_k_solver.hpp). Whoever is through with the root
/// first ends it for all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/common_best.hpp"
#include "threads/thread_group.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {

/// What a thread needs of its own: a clock, and a solver with its levels.
template <class Nodes>
class TopKWorker {
public:
    TopKWorker(const Problem& problem, const TopK& top_k,
               const typename Nodes::Table& table, Progress& progress,
               MemoryBudget& memory, Facts& facts)
        : stop_(std::nullopt),
          solver_(problem, top_k, table, stop_, progress, memory, facts) {}

    /// Search until somebody ends it, or all is proved: says whether it was this one
    /// that proved it.
    bool run(Limits limits, std::uint32_t width, Bracket best, CommonBest& common);

    Statistics& statistics() { return solver_.branching().statistics; }

private:
    StopSign stop_;
    TopKSolver<Nodes> solver_;
    bool has_root_ = false;
};

template <class Nodes>
class TopKCrew {
public:
    /// Make workers for the search that a solver has begun, as many as there is memory
    /// for.
    TopKCrew(std::size_t n_workers, const Problem& problem, const TopK& top_k,
             const typename Nodes::Table& table, TopKSolver<Nodes>& first,
             StopSign& stop, Progress& progress, MemoryBudget& memory, Facts& facts);

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
