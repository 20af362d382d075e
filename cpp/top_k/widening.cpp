#include "top_k/widening.hpp"

#include <algorithm>

#include "top_k/top_k_choice.hpp"

namespace ostrya {
namespace {

/// A depth that no tree reaches, from which levels can be counted down.
constexpr std::uint32_t endless = 1u << 30;

bool all_equal(const std::vector<std::uint32_t>& widths) {
    return std::count(widths.begin(), widths.end(), widths[0]) ==
           static_cast<std::ptrdiff_t>(widths.size());
}

}  // namespace

template <class Nodes>
Widening<Nodes>::Widening(const Problem& problem, const Options& options,
                          StopSign& stop, Progress& progress, MemoryBudget& memory)
    : problem_(problem),
      options_(options),
      top_k_(*options.top_k),
      is_uniform_(all_equal(top_k_.widths)),
      stop_(stop),
      progress_(progress),
      memory_(memory),
      table_(problem, stop, memory),
      // Where levels differ in k, so do the trees of a row set at different depths.
      facts_(memory, Switch{is_uniform_, 0}, options.n_threads > 1),
      context_{problem, options, stop, progress, memory, facts_, statistics_},
      solver_(context_, table_) {}

template <class Nodes>
Result Widening<Nodes>::run() {
    solver_.build_root();
    Limits limits = problem_.limits.without_idle_leaves();
    if (!is_uniform_ && limits.depth == Limits::unlimited) limits.depth = endless;
    Bracket best;
    widen(limits, best);
    if (workers_) workers_->conclude();
    return solver_.branching().conclude(best, solver_.width().has_left_out()
                                                  ? Status::optimal_in_top_k
                                                  : Status::optimal);
}

/// Up to the k asked for, or to where no node has more.
template <class Nodes>
void Widening<Nodes>::widen(Limits limits, Bracket& best) {
    const std::uint32_t most =
        *std::max_element(top_k_.widths.begin(), top_k_.widths.end());
    for (std::uint64_t width = 1;; width *= 2) {
        solver_.width().set(
            static_cast<std::uint32_t>(std::min<std::uint64_t>(width, most)));
        facts_.memo.forget();
        // A narrower search proves nothing of a wider one.
        best.lower = problem_.scale.penalty;
        solve(limits, best);
        const bool is_last =
            solver_.width().most() == most || !solver_.width().has_left_out();
        if (is_last || stop_.is_up()) {
            if (!is_last) best.lower = problem_.scale.penalty;
            return;
        }
        best.lower = problem_.scale.penalty;
        solver_.branching().publish(best);
    }
}

/// The root, at one width.
template <class Nodes>
void Widening<Nodes>::solve(Limits limits, Bracket& best) {
    const Cost narrower = best.upper;
    const bool is_shared = is_worth_sharing(limits, best);
    if (is_shared && options_.n_threads > 1) {
        if (!workers_) start_workers();
        workers_->solve(limits, best, [this](const Bracket& known) { publish(known); });
    } else {
        solver_.look_between([this](const Bracket& known) { publish(known); });
        best = solver_.solve(0, limits, best.upper, best);
    }
    // Whether there is another thread or not, so that the tree does not depend on it.
    if (is_shared && best.upper < narrower && best.is_solved() && !stop_.is_up()) {
        TopKChoice<Nodes>(solver_, stop_).choose(limits, best);
    }
}

/// Whether threads may be used, if there are any. This must not depend on them: how
/// long it took so far was counted without them, or they are at work already.
///
/// Threads look at other nodes than one alone would, and whether one of them leaves
/// splits out is part of the result: so the root has to, which all look at.
template <class Nodes>
bool Widening<Nodes>::is_worth_sharing(Limits limits, const Bracket& known) {
    return stop_.counted.all() >= options_.tuning.top_k.share_start &&
           limits.reachable_depth() >= 3 && !stop_.is_up() &&
           solver_.root_leaves_out(limits, known);
}

template <class Nodes>
void Widening<Nodes>::start_workers() {
    workers_ = std::make_unique<TopKWorkerGroup<Nodes>>(context_, table_, solver_);
}

template <class Nodes>
void Widening<Nodes>::publish(const Bracket& best) {
    if (solver_.width().most() == top_k_.width(0)) solver_.branching().publish(best);
}

template class Widening<CutNodes<std::int32_t>>;
template class Widening<CutNodes<std::int64_t>>;
template class Widening<RowNodes<std::int32_t>>;
template class Widening<RowNodes<std::int64_t>>;

}  // namespace ostrya
