/// The Top-k search of one problem, for k = 1, 2, 4, ... up to the k asked for.
///
/// A tree of a narrower search is a tree of a wider one, so each gives the next its
/// budget and the caller an early tree.
#pragma once

#include <cstdint>
#include <memory>

#include "top_k/top_k_solver.hpp"
#include "top_k/top_k_worker_group.hpp"

namespace ostrya {

template <class Nodes>
class Widening {
public:
    Widening(const Problem& problem, const Options& options, StopSign& stop,
             Progress& progress, MemoryBudget& memory);

    Result run();

private:
    void widen(Limits limits, Bracket& best);
    void solve(Limits limits, Bracket& best);
    bool is_worth_sharing(Limits limits, const Bracket& known);
    void start_workers();
    void publish(const Bracket& best);

    const Problem& problem_;
    const Options& options_;
    const TopK& top_k_;
    bool is_uniform_;  // one k for all levels
    StopSign& stop_;
    Progress& progress_;
    MemoryBudget& memory_;
    typename Nodes::Table table_;
    SharedFacts facts_;
    Statistics statistics_;
    SearchContext context_;
    TopKSolver<Nodes> solver_;
    std::unique_ptr<TopKWorkerGroup<Nodes>> workers_;  // once other threads have joined
};

}  // namespace ostrya
