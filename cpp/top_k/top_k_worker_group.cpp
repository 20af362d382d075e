#include "top_k/top_k_worker_group.hpp"

#include <atomic>
#include <cassert>

namespace ostrya {
namespace {

/// Have one thread hear of the others, as long as this stands.
class Listening {
public:
    Listening(StopSign& stop, SharedIncumbent& incumbent) : stop_(stop) {
        stop_.notifications.subscribe_to(incumbent.version());
        stop_.counted.include(incumbent.work());
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() {
        stop_.notifications.unsubscribe();
        stop_.counted.keep_others();
    }

private:
    StopSign& stop_;
};

}  // namespace

template <class Nodes>
bool TopKWorker<Nodes>::run(Limits limits, std::uint32_t width, Bracket best,
                            SharedIncumbent& incumbent) {
    stop_.notifications.subscribe_to(incumbent.version());
    stop_.add_work_to(incumbent.work());
    if (!has_root_) solver_.build_root();
    has_root_ = true;
    solver_.width().set(width);
    solver_.look_between([&](Bracket& found) { incumbent.exchange(found); });
    while (!incumbent.is_over() && !stop_.reason()) {
        stop_.go_on();
        best = solver_.solve(0, limits, best.upper, best);
        incumbent.exchange(best);
        if (!stop_.has_stopped()) {
            assert(best.is_solved());
            incumbent.end();
            return true;
        }
    }
    return false;
}

template <class Nodes>
TopKWorkerGroup<Nodes>::TopKWorkerGroup(const SearchContext& context,
                                        const typename Nodes::Table& table,
                                        TopKSolver<Nodes>& first)
    : first_(first), stop_(context.stop) {
    const std::size_t n_workers = n_affordable_workers(
        context.options.n_threads - 1, first.branching().level_at(0).bytes(),
        context.tuning().search, context.memory);
    for (std::size_t worker = 0; worker < n_workers; ++worker) {
        workers_.push_back(std::make_unique<TopKWorker<Nodes>>(context, table));
    }
}

template <class Nodes>
void TopKWorkerGroup<Nodes>::solve(Limits limits, Bracket& best, const Look& look) {
    SharedIncumbent incumbent(best);
    std::atomic<bool> is_solved = false;
    const Listening listening(stop_, incumbent);
    ThreadGroup threads([&] { incumbent.end(); });
    first_.look_between([&](Bracket& found) {
        incumbent.exchange(found);
        look(found);
    });
    threads.start(workers_.size(),
                  [&, known = best, width = first_.width().most()](std::size_t worker) {
                      if (workers_[worker]->run(limits, width, known, incumbent))
                          is_solved = true;
                  });
    do {
        best = first_.solve(0, limits, best.upper, best);
    } while (stop_.go_on() && !incumbent.is_over());
    threads.conclude();
    stop_.go_on();
    incumbent.exchange(best);
    if (is_solved) best.lower = best.upper;
}

template <class Nodes>
void TopKWorkerGroup<Nodes>::conclude() {
    for (const auto& worker : workers_) {
        first_.branching().statistics.add_counts(worker->statistics());
    }
}

template class TopKWorker<CutNodes<std::int32_t>>;
template class TopKWorker<CutNodes<std::int64_t>>;
template class TopKWorker<RowNodes<std::int32_t>>;
template class TopKWorker<RowNodes<std::int64_t>>;
template class TopKWorkerGroup<CutNodes<std::int32_t>>;
template class TopKWorkerGroup<CutNodes<std::int64_t>>;
template class TopKWorkerGroup<RowNodes<std::int32_t>>;
template class TopKWorkerGroup<RowNodes<std::int64_t>>;

}  // namespace ostrya
