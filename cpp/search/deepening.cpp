#include "search/deepening.hpp"

#include <algorithm>

#include "search/trial_tree.hpp"

namespace ostrya {
namespace {

/// Cells that the scan of depth two may look at beforehand, some tenths of a second: a
/// tree of many leaves, where leaves are free, is worth more than the best of four.
constexpr std::int64_t most_cells = 800'000'000;
/// A tree is grown by trial after the first turn, when the search has taken half as
/// long as that will take; where columns are yes/no questions, so that there is no turn
/// for long and the proof may be near, twice as long, some hundredths of a second.
constexpr std::uint64_t first_trial_of_questions = std::uint64_t{1} << 23;
constexpr std::uint64_t trial_share_of_questions = 2;
constexpr std::uint64_t test_trial = 16;
/// Some second, after which work beside the search counts too.
constexpr std::uint64_t late_trial = std::uint64_t{1} << 30;
/// It may take so many times the work so far.
constexpr std::uint64_t most_of_trial = 4;
/// Trees this shallow are soon searched; and where columns are yes/no questions, first
/// trees this shallow are grown with as much care as those by trial.
constexpr std::uint32_t shallow = 4;
constexpr std::uint32_t careful = 5;

}  // namespace

template <class Sum>
Deepening<Sum>::Deepening(const Problem& problem, const Options& options,
                          StopSign& stop, Progress& progress, MemoryBudget& memory,
                          Facts& facts, Statistics& statistics)
    : problem_(problem),
      options_(options),
      stop_(stop),
      memory_(memory),
      facts_(facts),
      pace_(problem, options, stop, facts),
      depths_(problem, options, stop, progress, memory, facts, statistics) {}

template <class Sum>
void Deepening<Sum>::scan_depth_two(const Level<Sum>& root, Cost budget,
                                    Bracket& best) {
    if (!depths_.next_is_scan() || !memory_.allows(memory_.used())) return;
    depths_.begin_again();
    if (!depths_.begin(root, best)) return;
    if (depths_.scan_pairs(budget, {most_cells}, best)) facts_.depths.prove(2);
    depths_.solver().branching.publish(best);
}

template <class Sum>
void Deepening<Sum>::search_below(Limits limits, const Node<Sum>& root) {
    limits_ = limits;
    // Where leaves are free, the first tree is as large as any.
    const bool leaves_cost =
        problem_.scale.penalty > 0 || limits.leaves != Limits::unlimited;
    if (!leaves_cost || limits.depth <= shallow) return;
    pace_.hurry(root.work(), root.splits.width);
    const bool has_many_cuts = problem_.has_many_cuts();
    if (limits.reachable_depth() <= (has_many_cuts ? shallow : careful)) return;
    const std::uint64_t trial = TrialTree<Sum>::trial_work(root, problem_);
    const std::uint64_t turn = pace_.next_turn();
    if (options_.price_start) {
        next_trial_ = test_trial;
    } else if (has_many_cuts) {
        next_trial_ = options_.effort ? turn : std::max(turn, trial / 2);
    } else {
        next_trial_ =
            std::max(first_trial_of_questions, trial_share_of_questions * trial);
    }
}

template <class Sum>
void Deepening<Sum>::keep_pace(const Level<Sum>& root, Cost budget, Bracket& best) {
    const bool is_due =
        stop_.counted.of_search() >= pace_.next_turn() || trial_is_due();
    if (is_on() && is_due && !stop_.has_stopped()) {
        const Cost before = best.upper;
        take_turn(root, budget, best);
        if (best.upper < before) stop_.pause();
    }
    if (options_.effort && pace_.effort_left() == 0) stop_.effort_is_spent();
}

/// Whether the search has taken long enough; where there are many cuts, so that most of
/// the work is done beside it, all of that counts after a second.
template <class Sum>
bool Deepening<Sum>::trial_is_due() const {
    if (stop_.counted.of_search() >= next_trial_) return true;
    return problem_.has_many_cuts() &&
           stop_.counted.all() >= std::max(next_trial_, late_trial);
}

template <class Sum>
void Deepening<Sum>::take_turn(const Level<Sum>& root, Cost budget, Bracket& best) {
    const bool tries = trial_is_due();
    const bool deepens = stop_.counted.of_search() >= pace_.next_turn();
    if (tries) next_trial_ = never;
    if (deepens) pace_.begin_turn(best);
    // The search needs the rest of the memory itself.
    if (!memory_.allows(memory_.used())) return;
    // A turn may take all that is left of a limited effort.
    if (tries && options_.effort) grow_by_trial(best);
    if (deepens) {
        go_deeper(root, budget, best);
        pace_.end_turn(best);
    }
    if (tries && !options_.effort) grow_by_trial(best);
}

template <class Sum>
void Deepening<Sum>::grow_by_trial(Bracket& best) {
    const std::uint64_t before = stop_.counted.all();
    std::uint64_t most = most_of_trial * stop_.counted.all();
    if (options_.effort) most = std::min(pace_.effort_left(), *options_.effort / 2);
    stop_.pause_after(most);
    if (depths_.make_root()) {
        Solver<Sum>& solver = depths_.solver();
        TrialTree<Sum> trial(problem_, solver, stop_, memory_);
        trial.grow_by_trial(limits_, [&] { solver.branching.publish(best); }, best);
    }
    stop_.go_on();
    stop_.counted.set_aside(stop_.counted.all() - before);
}

template <class Sum>
void Deepening<Sum>::go_deeper(const Level<Sum>& root, Cost budget, Bracket& best) {
    while (is_on()) {
        const std::uint64_t left = pace_.work_left(best, depths_.has_promising());
        if (left == 0) return;
        const std::uint64_t before = stop_.counted.all();
        stop_.pause_after(left);
        const bool is_done =
            depths_.begin(root, best) && depths_.search(limits_.leaves, budget, best);
        stop_.go_on();
        const std::uint64_t took = stop_.counted.all() - before;
        pace_.count(took);
        stop_.counted.set_aside(took);
        if (!is_done) return;
        facts_.depths.prove(facts_.depths.proved() + 1);
    }
}

template class Deepening<std::int32_t>;
template class Deepening<std::int64_t>;

}  // namespace ostrya
