#include "top_k/top_k_crew.hpp"

#include <atomic>
#include <cassert>

#include "search/crew_size.hpp"

namespace ostrya {
namespace {

/// Have one thread hear of the others, as long as this stands.
class Listening {
public:
    Listening(StopSign& stop, CommonBest& common) : stop_(stop) {
        stop_.news.listen_to(common.news());
        stop_.counted.include(common.work());
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() {
        stop_.news.listen_no_more();
        stop_.counted.keep_others();
    }

private:
    StopSign& stop_;
};

}  // namespace

template <class Nodes>
bool TopKWorker<Nodes>::run(Limits limits, std::uint32_t width, Bracket best,
                            CommonBest& common) {
    stop_.news.listen_to(common.news());
    stop_.add_work_to(common.work());
    if (!has_root_) solver_.build_root();
    has_root_ = true;
    solver_.width().set(width);
    solver_.look_between([&](Bracket& found) { common.exchange(found); });
    while (!common.is_over() && !stop_.reason()) {
        stop_.go_on();
        best = solver_.solve(0, limits, best.upper, best);
        common.exchange(best);
        if (!stop_.has_stopped()) {
            assert(best.is_solved());
            common.end();
            return true;
        }
    }
    return false;
}

template <class Nodes>
TopKCrew<Nodes>::TopKCrew(std::size_t n_workers, const Problem& problem,
                          const TopK& top_k, const typename Nodes::Table& table,
                          TopKSolver<Nodes>& first, StopSign& stop, Progress& progress,
                          MemoryBudget& memory, Facts& facts)
    : first_(first), stop_(stop) {
    n_workers = crew_size(n_workers, first.branching().level_at(0).bytes(), memory);
    for (std::size_t worker = 0; worker < n_workers; ++worker) {
        workers_.push_back(std::make_unique<TopKWorker<Nodes>>(
            problem, top_k, table, progress, memory, facts));
    }
}

template <class Nodes>
void TopKCrew<Nodes>::solve(Limits limits, Bracket& best, const Look& look) {
    CommonBest common(best);
    std::atomic<bool> is_solved = false;
    const Listening listening(stop_, common);
    ThreadGroup threads([&] { common.end(); });
    first_.look_between([&](Bracket& found) {
        common.exchange(found);
        look(found);
    });
    threads.start(workers_.size(),
                  [&, known = best, width = first_.width().most()](std::size_t worker) {
                      if (workers_[worker]->run(limits, width, known, common))
                          is_solved = true;
                  });
    do {
        best = first_.solve(0, limits, best.upper, best);
    } while (stop_.go_on() && !common.is_over());
    threads.conclude();
    stop_.go_on();
    common.exchange(best);
    if (is_solved) best.lower = best.upper;
}

template <class Nodes>
void TopKCrew<Nodes>::conclude() {
    for (const auto& worker : workers_) {
        first_.branching().statistics.add_counts(worker->statistics());
    }
}

template class TopKWorker<CutNodes<std::int32_t>>;
template class TopKWorker<CutNodes<std::int64_t>>;
template class TopKWorker<RowNodes<std::int32_t>>;
template class TopKWorker<RowNodes<std::int64_t>>;
template class TopKCrew<CutNodes<std::int32_t>>;
template class TopKCrew<CutNodes<std::int64_t>>;
template class TopKCrew<RowNodes<std::int32_t>>;
template class TopKCrew<RowNodes<std::int64_t>>;

}  // namespace ostrya
