#include "search/task_search.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "search/root_splits.hpp"

namespace ostrya {

template <class Sum>
TaskSearch<Sum>::TaskSearch(const SearchContext& context)
    : problem_(context.problem),
      options_(context.options),
      part_(*options_.part),
      stop_(context.stop),
      memory_(context.memory),
      facts_(context.facts),
      statistics_(context.statistics),
      solver_(context),
      root_(solver_.branching.level_at(0)),
      checkpoint_(context),
      is_own_(memory_) {}

template <class Sum>
Result TaskSearch<Sum>::run() {
    Bracket best;
    best.offer_leaf(problem_.scale.factor * (problem_.one_leaf - problem_.base) +
                    problem_.scale.penalty);
    const Cost leaf = best.upper;
    if (checkpoint_.open()) best.learn(facts_.known);
    if (!solver_.make_root([this] { return stop_.is_up(); })) return conclude(best);
    account_for_pairs(root_);
    learn(root_, part_);
    mark_own();
    restore(best);
    stop_.notifications.subscribe_to(part_.upper->version());
    if (options_.hand_over) stop_.watch.end_in(*options_.hand_over);
    const Limits limits = drop_idle_limits(problem_.limits, leaf, problem_.scale,
                                           solver_.switches.leaf_count);
    do {
        explore_splits(limits, best);
    } while (stop_.go_on());
    stop_.notifications.unsubscribe();
    checkpoint_.tell(best);
    keep(best);
    return conclude(best);
}

/// Keep what is known for the next part, if much of it is new: that takes a while.
template <class Sum>
void TaskSearch<Sum>::keep(const Bracket& best) {
    if (checkpoint_.has_facts() &&
        stop_.counted.all() < before_.work / options_.tuning.search.new_work_part) {
        return;
    }
    const SearchAge age{stop_.counted.of_search(),
                        stop_.counted.all() + before_.all_work,
                        statistics_.subproblems + before_.subproblems,
                        solver_.prices.next_work(),
                        before_.turns,
                        before_.next_turn};
    checkpoint_.conclude(root_, best, age, solver_.prices.prices(), false);
}

template <class Sum>
void TaskSearch<Sum>::mark_own() {
    is_own_.assign(root_.node.splits.width, 0);
    std::size_t next = 0;
    for_each_split(root_,
                   [&](std::uint32_t at) { is_own_[at] = part_.is_mine[next++]; });
}

/// Know what an earlier search of the same root has kept.
template <class Sum>
void TaskSearch<Sum>::restore(Bracket& best) {
    root_.is_scanned = true;
    PriceSeeker& prices = solver_.prices;
    prices.when_risen([](Cost) {});
    if (!checkpoint_.is_on()) return;
    PriceState state(memory_);
    before_ = checkpoint_.restore(root_, best,
                                  [&](const PriceState& known) { state = known; });
    checkpoint_.listen();
    if (!checkpoint_.has_facts()) return;
    stop_.counted.go_on_after(before_.work);
    prices.go_on_from(state, before_.next_prices);
}

template <class Sum>
Cost TaskSearch<Sum>::goal(const Bracket& best) const {
    return std::min(part_.upper->cost() - problem_.scale.factor * problem_.base,
                    best.upper);
}

/// Until there is a notification, or nothing below the goal is left.
template <class Sum>
void TaskSearch<Sum>::explore_splits(Limits limits, Bracket& best) {
    const auto is_left_out = [&](std::uint32_t split) { return is_own_[split] == 0; };
    PriceSeeker& prices = solver_.prices;
    while (!solver_.scan.is_stopped(root_.node)) {
        const Cost goal = this->goal(best);
        prices.set_bracket(best.lower, goal);
        prices.keep_pace();
        if (solver_.prices_settle(0, goal, best)) return;
        const SplitChoice choice = choose_split(
            root_, problem_.scale, options_.tuning.search, goal, is_left_out);
        if (choice.split == none) return;
        const Cost cap =
            cap_at_root(choice, problem_.scale, goal, options_.tuning.search,
                        statistics_.subproblems + before_.subproblems);
        solver_.explore(0, choice.split, limits, cap + choice.slack, best);
    }
}

/// The best tree, which may be of any part, and what is known of all splits.
template <class Sum>
Result TaskSearch<Sum>::conclude(const Bracket& best) {
    Result result = solver_.branching.conclude(best, Status::optimal);
    if (!best.is_solved() && !stop_.reason()) result.status = Status::upper_bound;
    if (is_own_.empty()) return result;  // there was no time for a root
    for_each_split(root_,
                   [&](std::uint32_t at) { root_.bounds.raise_rest(at, best.lower); });
    result.splits = table_of(root_, problem_);
    return result;
}

template class TaskSearch<std::int32_t>;
template class TaskSearch<std::int64_t>;

}  // namespace ostrya
