#include "search/worker_group.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {
namespace {

/// The split of its root that a thread explores next, away from the others if it can.
template <class Sum>
SplitChoice take_split(SharedRoot<Sum>& shared_root, std::size_t thread,
                       Solver<Sum>& solver, Cost goal) {
    Level<Sum>& root = solver.branching.level_at(0);
    const SplitChoice choice =
        solver.sharing.next_split(root, goal, shared_root.columns_of_others(thread));
    if (choice.split != none) {
        shared_root.enter(thread, root.node.splits.names[choice.split].column);
    }
    return choice;
}

}  // namespace

template <class Sum>
Worker<Sum>::Worker(const SearchContext& first, SharedRoot<Sum>& shared_root,
                    std::size_t number)
    : number_(number),
      shared_root_(shared_root),
      stop_(std::nullopt),
      context_(first.on_thread(stop_, statistics_)),
      solver_(context_) {
    solver_.prices.follow();
    stop_.notifications.subscribe_to(shared_root.version());
    stop_.add_work_to(shared_root.work());
}

template <class Sum>
void Worker<Sum>::run(Limits limits, Cost budget) {
    if (!solver_.make_root([this] { return shared_root_.is_over(); })) return;
    shared_root_.copy_to(solver_.branching.level_at(0));
    Bracket best;
    while (!shared_root_.is_over() && !stop_.reason()) {
        stop_.go_on();
        explore_splits(limits, budget, best);
    }
}

/// Until there is a notification.
template <class Sum>
void Worker<Sum>::explore_splits(Limits limits, Cost budget, Bracket& best) {
    Level<Sum>& root = solver_.branching.level_at(0);
    shared_root_.exchange(root.bounds, best);
    std::uint64_t next_exchange = 0;
    while (!solver_.scan.is_stopped(root.node)) {
        shared_root_.exchange_now_and_then(root.bounds, best, stop_.counted.all(),
                                           next_exchange);
        const Cost goal = std::min(budget, best.upper);
        const SplitChoice choice = take_split(shared_root_, number_, solver_, goal);
        if (choice.split == none) {
            shared_root_.exchange(root.bounds, best);
            shared_root_.end();
            return;
        }
        const Cost cap = cap_at_root(choice, context_.problem.scale, goal,
                                     context_.tuning().search, statistics_.subproblems);
        solver_.explore(0, choice.split, limits, cap + choice.slack, best);
    }
    shared_root_.exchange(root.bounds, best);
}

template <class Sum>
WorkerGroup<Sum>::WorkerGroup(const SearchContext& first, Limits limits, Cost budget,
                              const Level<Sum>& root, const Bracket& best)
    : stop_(first.stop),
      shared_root_(root, first, best),
      threads_([this] { shared_root_.end(); }) {
    const std::size_t n_workers = n_affordable_workers(
        first.options.n_threads - 1, root.bytes(), first.tuning().search, first.memory);
    workers_.reserve(n_workers);
    for (std::size_t worker = 0; worker < n_workers; ++worker) {
        workers_.push_back(
            std::make_unique<Worker<Sum>>(first, shared_root_, worker + 1));
    }
    stop_.notifications.subscribe_to(shared_root_.version());
    stop_.counted.include(shared_root_.work());
    try {
        threads_.start(n_workers, [this, limits, budget](std::size_t worker) {
            workers_[worker]->run(limits, budget);
        });
    } catch (...) {
        end();
        throw;
    }
}

template <class Sum>
SplitChoice WorkerGroup<Sum>::next_split(Solver<Sum>& solver, Cost goal,
                                         Bracket& best) {
    Level<Sum>& root = solver.branching.level_at(0);
    if (shared_root_.exchange_now_and_then(root.bounds, best, stop_.counted.all(),
                                           next_exchange_)) {
        goal = std::min(goal, best.upper);
        // Another thread may be at the split with the least bound.
        best.raise(least_rest(root, goal));
    }
    return take_split(shared_root_, 0, solver, goal);
}

template <class Sum>
void WorkerGroup<Sum>::end() noexcept {
    threads_.join();
    stop_.notifications.unsubscribe();
    stop_.counted.keep_others();
}

template <class Sum>
void WorkerGroup<Sum>::conclude(Statistics& statistics) {
    end();
    for (const auto& worker : workers_) statistics.add_counts(worker->statistics());
    threads_.conclude();
}

template class Worker<std::int32_t>;
template class Worker<std::int64_t>;
template class WorkerGroup<std::int32_t>;
template class WorkerGroup<std::int64_t>;

}  // namespace ostrya
