#include "search/crew.hpp"

#include <algorithm>
#include <utility>

#include "search/crew_size.hpp"

namespace ostrya {
namespace {

/// The split of its root that a thread explores next, away from the others if it can.
template <class Sum>
SplitChoice take_split(RootBoard<Sum>& board, std::size_t thread, Solver<Sum>& solver,
                       Cost goal) {
    Level<Sum>& root = solver.branching.level_at(0);
    const SplitChoice choice =
        solver.sharing.next_split(root, goal, board.columns_of_others(thread));
    if (choice.split != none) {
        board.enter(thread, root.node.splits.names[choice.split].column);
    }
    return choice;
}

}  // namespace

template <class Sum>
Worker<Sum>::Worker(const Problem& problem, const Options& options, Progress& progress,
                    MemoryBudget& memory, Facts& facts, RootBoard<Sum>& board,
                    std::size_t number)
    : number_(number),
      problem_(problem),
      board_(board),
      stop_(std::nullopt),
      solver_(problem, options, stop_, progress, memory, facts, statistics_) {
    solver_.prices.follow();
    stop_.news.listen_to(board.news());
    stop_.add_work_to(board.work());
}

template <class Sum>
void Worker<Sum>::run(Limits limits, Cost budget) {
    if (!solver_.make_root([this] { return board_.is_over(); })) return;
    board_.copy_to(solver_.branching.level_at(0));
    Bracket best;
    while (!board_.is_over() && !stop_.reason()) {
        stop_.go_on();
        explore_splits(limits, budget, best);
    }
}

/// Until there is news.
template <class Sum>
void Worker<Sum>::explore_splits(Limits limits, Cost budget, Bracket& best) {
    Level<Sum>& root = solver_.branching.level_at(0);
    board_.exchange(root.bounds, best);
    std::uint64_t next_exchange = 0;
    while (!solver_.scan.is_stopped(root.node)) {
        board_.exchange_now_and_then(root.bounds, best, stop_.counted.all(),
                                     next_exchange);
        const Cost goal = std::min(budget, best.upper);
        const SplitChoice choice = take_split(board_, number_, solver_, goal);
        if (choice.split == none) {
            board_.exchange(root.bounds, best);
            board_.end();
            return;
        }
        const Cost cap =
            cap_at_root(choice, problem_.scale, goal, statistics_.subproblems);
        solver_.explore(0, choice.split, limits, cap + choice.slack, best);
    }
    board_.exchange(root.bounds, best);
}

template <class Sum>
Crew<Sum>::Crew(std::size_t n_workers, const Problem& problem, const Options& options,
                Progress& progress, MemoryBudget& memory, Facts& facts, Limits limits,
                Cost budget, const Level<Sum>& root, const Bracket& best,
                StopSign& stop)
    : stop_(stop),
      board_(root, problem.scale, options.switches, best, memory),
      threads_([this] { board_.end(); }) {
    n_workers = crew_size(n_workers, root.bytes(), memory);
    workers_.reserve(n_workers);
    for (std::size_t worker = 0; worker < n_workers; ++worker) {
        workers_.push_back(std::make_unique<Worker<Sum>>(
            problem, options, progress, memory, facts, board_, worker + 1));
    }
    stop_.news.listen_to(board_.news());
    stop_.counted.include(board_.work());
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
SplitChoice Crew<Sum>::next_split(Solver<Sum>& solver, Cost goal, Bracket& best) {
    Level<Sum>& root = solver.branching.level_at(0);
    if (board_.exchange_now_and_then(root.bounds, best, stop_.counted.all(),
                                     next_exchange_)) {
        goal = std::min(goal, best.upper);
        // Another thread may be at the split with the least bound.
        best.raise(least_rest(root, goal));
    }
    return take_split(board_, 0, solver, goal);
}

template <class Sum>
void Crew<Sum>::end() noexcept {
    threads_.join();
    stop_.news.listen_no_more();
    stop_.counted.keep_others();
}

template <class Sum>
void Crew<Sum>::conclude(Statistics& statistics) {
    end();
    for (const auto& worker : workers_) statistics.add_counts(worker->statistics());
    threads_.conclude();
}

template class Worker<std::int32_t>;
template class Worker<std::int64_t>;
template class Crew<std::int32_t>;
template class Crew<std::int64_t>;

}  // namespace ostrya
