/// The other threads of a search: they explore splits of the root beside the first one.
///
/// All threads run the same search over one memo. Each takes the most promising split
/// that nobody is at (work_hints.hpp), at the root and at every large node below it;
/// where others are at all of them it goes along with one, and finds its own part
/// further down. So there is no list of tasks, and nobody waits for anybody. What was
/// proved of the root's splits, and the best tree, are exchanged now and then
/// (shared_root.hpp).
#pragma once

#include <memory>
#include <vector>

#include "search/shared_root.hpp"
#include "search/solver.hpp"
#include "threads/thread_group.hpp"

namespace ostrya {

/// What a thread needs of its own: a clock, counts, a solver with its levels.
template <class Sum>
class Worker {
public:
    /// `first` is the context of the first thread.
    Worker(const SearchContext& first, SharedRoot<Sum>& shared_root,
           std::size_t number);

    /// Search until all is proved, or somebody ends it.
    void run(Limits limits, Cost budget);

    const Statistics& statistics() const { return statistics_; }

private:
    void explore_splits(Limits limits, Cost budget, Bracket& best);

    const std::size_t number_;  // of the thread; the first one has 0
    SharedRoot<Sum>& shared_root_;
    StopSign stop_;
    Statistics statistics_;
    SearchContext context_;
    Solver<Sum> solver_;
};

template <class Sum>
class WorkerGroup {
public:
    /// Start threads that search the root of a solver beside it, as many as there is
    /// memory for.
    WorkerGroup(const SearchContext& first, Limits limits, Cost budget,
                const Level<Sum>& root, const Bracket& best);
    ~WorkerGroup() { end(); }
    WorkerGroup(const WorkerGroup&) = delete;
    WorkerGroup& operator=(const WorkerGroup&) = delete;

    SharedRoot<Sum>& shared_root() { return shared_root_; }

    /// The split that the first thread explores next. The bracket of the root learns
    /// what the others know.
    SplitChoice next_split(Solver<Sum>& solver, Cost goal, Bracket& best);

    /// Have all threads end, and wait for them. Safe to call twice.
    void end() noexcept;
    /// The same; what they counted is added to the counts of the first thread; what one
    /// of them threw is thrown.
    void conclude(Statistics& statistics);

private:
    StopSign& stop_;                   // of the first thread
    std::uint64_t next_exchange_ = 0;  // of it with the others, by work
    SharedRoot<Sum> shared_root_;
    std::vector<std::unique_ptr<Worker<Sum>>> workers_;
    ThreadGroup threads_;
};

}  // namespace ostrya
