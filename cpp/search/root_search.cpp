#include "search/root_search.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "search/tree_choice.hpp"

namespace ostrya {
namespace {

/// Work of a search from which on it is worth while to start threads, some
/// milliseconds.
constexpr std::uint64_t usual_share_start = std::uint64_t{1} << 22;

/// Words that a scan of pairs looks at, at most, from which on it is worth while to do
/// more beforehand.
constexpr std::uint64_t long_scan = std::uint64_t{1} << 27;

/// Whether a search is sure to be long, so that some milliseconds for a better first
/// tree are well spent: many leaves, and many columns or levels to place them.
bool is_long(Limits limits, std::uint32_t most_leaves, std::uint32_t n_splits) {
    const std::uint32_t depth = limits.reachable_depth();
    return std::min(limits.leaves, most_leaves) >= 16 &&
           (depth >= 6 || (depth >= 4 && n_splits >= 64));
}

/// The depths that trees are also grown for where more is allowed: what grows without
/// a limit is seldom as good when it is cut off there.
template <class Grow>
void for_small_depths(std::uint32_t least, Limits limits, StopSign& stop,
                      const Grow& grow) {
    for (std::uint32_t depth = least; depth <= 4 && depth < limits.reachable_depth();
         ++depth) {
        if (stop.is_up()) return;
        grow(Limits{depth, limits.leaves});
    }
}

}  // namespace

template <class Sum>
RootSearch<Sum>::RootSearch(const Problem& problem, const Options& options,
                            StopSign& stop, Progress& progress, MemoryBudget& memory)
    : problem_(problem),
      options_(options),
      stop_(stop),
      progress_(progress),
      memory_(memory),
      facts_(memory,
             usable_switches(options.switches, problem.min_samples_leaf).depth_transfer,
             options.n_threads > 1),
      solver_(problem, options, stop, progress, memory, facts_, statistics_),
      branching_(solver_.branching()),
      first_tree_(problem, solver_.switches(), solver_.builder(), branching_,
                  solver_.scan(), stop,
                  [this](std::size_t depth, Limits limits) {
                      return solver_.solve(depth, limits, unreachable, {});
                  }),
      deepening_(problem, options, stop, progress, memory, facts_, statistics_) {}

template <class Sum>
Result RootSearch<Sum>::run() {
    const bool is_built = build();
    const Bracket unknown = unsearched();
    if (!is_built) return branching_.conclude(unknown, Status::optimal);
    const Limits limits = drop_idle_limits(
        problem_.limits, unknown.upper, problem_.scale, solver_.switches().leaf_count);
    const Cost base = problem_.scale.factor * problem_.base;
    const Cost budget = options_.upper ? *options_.upper - base : unreachable;
    if (options_.logs_tasks) solver_.tasks().start();
    const Bracket best = solve(limits, budget);
    Result result = branching_.conclude(best, Status::optimal);
    result.tasks = solver_.tasks().take();
    if (!best.is_solved() && best.lower >= budget) result.status = Status::upper_bound;
    return result;
}

template <class Sum>
bool RootSearch<Sum>::build() {
    return solver_.builder().build_root(branching_.level_at(0).node,
                                        [this] { return stop_.is_late(); });
}

template <class Sum>
Bracket RootSearch<Sum>::unsearched() {
    const Node<Sum>& root = branching_.level_at(0).node;
    const Weight loss = solver_.builder().reader().loss(root.rows.total.data(), 1);
    Bracket out;
    out.offer_leaf(problem_.scale.cost(loss, 1));
    out.lower = problem_.scale.cost(0, 1);
    return out;
}

template <class Sum>
Bracket RootSearch<Sum>::solve(Limits limits, Cost budget) {
    Bracket best;
    BestPair found;
    if (open(limits, budget, found, best)) return best;
    deepening_.search_below(limits);
    if (grow(found, limits, budget, best)) return best;
    look_between(budget, best);
    const Cost first = best.upper;
    solver_.look_between([&] {
        look_between(budget, best);
        if (options_.n_threads > 1 && !crew_ && is_long_enough_to_share()) {
            start_crew(limits, budget, best);
        }
    });
    do {
        branch(limits, budget, found.cost, best);
    } while (stop_.go_on());
    solver_.look_between({});
    if (crew_) end_crew(found.cost, best);
    // The first tree is the same however the search goes on; so is the chosen one.
    if (best.upper < first && is_long_enough_to_share() && best.is_solved() &&
        !stop_.has_stopped()) {
        TreeChoice<Sum>(problem_, solver_).choose(limits, best);
    }
    return best;
}

template <class Sum>
bool RootSearch<Sum>::open(Limits limits, Cost budget, BestPair& found, Bracket& best) {
    ++branching_.statistics.subproblems;
    const Node<Sum>& root = branching_.level_at(0).node;
    LeafCount count;
    if (solver_.try_leaf(0, limits, budget, best)) return true;
    branching_.publish(best);  // whoever watches may stop it before the first tree
    PriceBounds& prices = solver_.prices();
    prices.when_risen([&](Cost lower) {
        best.raise(lower);
        branching_.publish(best);
    });
    if (solver_.scan_singles(0, limits, budget, best, count)) return true;
    facts_.depths.proved = std::max(facts_.depths.proved, 1u);
    if (FirstTree<Sum>::is_wanted_early(root)) {
        grow_early(limits, best);
        if (limits.reachable_depth() > 2) {
            deepening_.scan_depth_two(branching_.level_at(0), budget, best);
        }
        if (stop_.is_up() || best.settles(budget)) return true;
        const std::uint64_t work = root.work() * root.splits.width;
        if (work >= long_scan) {
            if (!leaves_are_free(limits)) grow_early_within(limits, best);
            prices.set_bracket(best.lower, std::min(budget, best.upper));
            prices.seek_before(work);
            if (solver_.prices_settle(0, budget, best)) return true;
        }
    }
    if (solver_.scan_pairs(0, limits, budget, count, found, best)) return true;
    facts_.depths.proved = 2;
    branching_.publish(best);
    return false;
}

template <class Sum>
bool RootSearch<Sum>::grow(const BestPair& found, Limits limits, Cost budget,
                           Bracket& best) {
    grow_first_trees(found, limits, budget, best);
    const Node<Sum>& root = branching_.level_at(0).node;
    return best.settles(Solver<Sum>::scan_budget(root, limits, budget));
}

/// What is done between subproblems: trees of small depth are searched, and where only
/// so much effort is asked for, the search ends.
template <class Sum>
void RootSearch<Sum>::look_between(Cost budget, Bracket& best) {
    if (deepening_.is_due() && !stop_.has_stopped()) {
        const Cost before = best.upper;
        deepening_.take_turn(branching_.level_at(0), budget, best);
        // Where there is a better tree, less is worth looking for.
        if (best.upper < before) stop_.pause();
    }
    if (deepening_.is_enough()) stop_.effort_is_spent();
}

/// Whether the search is long enough by now for other threads to join it, if there are
/// any: what a shorter one finds does not depend on them.
template <class Sum>
bool RootSearch<Sum>::is_long_enough_to_share() const {
    return stop_.work_of_search() >= options_.share_start.value_or(usual_share_start);
}

template <class Sum>
void RootSearch<Sum>::start_crew(Limits limits, Cost budget, const Bracket& best) {
    const Level<Sum>& root = branching_.level_at(0);
    crew_ = std::make_unique<Crew<Sum>>(options_.n_threads - 1, problem_, options_,
                                        progress_, memory_, facts_, limits, budget,
                                        root, best, stop_);
}

/// The split to explore next: no tree that is yet to be found costs less than its
/// bound.
template <class Sum>
SplitChoice RootSearch<Sum>::next_split(Cost goal, Bracket& best) {
    if (crew_) return crew_->next_split(solver_, goal, best);
    const SplitChoice choice =
        choose_split(branching_.level_at(0), problem_.scale, goal);
    best.raise(choice.rest);
    return choice;
}

/// Know all that the others have found.
template <class Sum>
void RootSearch<Sum>::end_crew(Cost shallow, Bracket& best) {
    crew_->conclude(statistics_);
    Level<Sum>& root = branching_.level_at(0);
    crew_->board().exchange(root.bounds, best);
    best.raise(least_rest(root, shallow));
    stop_.go_on();
}

/// Trees of small depth before pairs are scanned, and one of any where leaves are free.
template <class Sum>
void RootSearch<Sum>::grow_early(Limits limits, Bracket& best) {
    if (leaves_are_free(limits)) grow_early_within(limits, best);
    for_small_depths(2, limits, stop_,
                     [&](Limits small) { grow_early_within(small, best); });
}

/// A tree below the purest split.
template <class Sum>
void RootSearch<Sum>::grow_early_within(Limits limits, Bracket& best) {
    const std::uint32_t split = first_tree_.purest_split(branching_.level_at(0).node);
    first_tree_.grow_quickly(split, limits, best);
    branching_.publish(best);
}

/// Trees below the best pair. Where the root is wide they take a while: the best tree
/// of depth 3 is looked for before the largest of them is grown, unless leaves are
/// free, so that the tree of most leaves is best.
template <class Sum>
void RootSearch<Sum>::grow_first_trees(const BestPair& found, Limits limits,
                                       Cost budget, Bracket& best) {
    const auto grow = [&](Limits grown) {
        grow_first_tree(found, grown, budget, best);
    };
    if (leaves_are_free(limits)) grow(limits);
    const bool is_wide = FirstTree<Sum>::is_wanted_early(branching_.level_at(0).node);
    if (is_wide || PriceBounds::has_many_cuts(problem_)) {
        for_small_depths(3, limits, stop_, grow);
    }
    if (is_wide) {
        look_between(budget, best);
        stop_.go_on();
    }
    if (!leaves_are_free(limits)) grow(limits);
}

template <class Sum>
bool RootSearch<Sum>::leaves_are_free(Limits limits) const {
    return problem_.scale.penalty == 0 && limits.leaves == Limits::unlimited;
}

template <class Sum>
void RootSearch<Sum>::grow_first_tree(const BestPair& found, Limits limits, Cost budget,
                                      Bracket& best) {
    const std::uint32_t most_leaves = most_leaves_under(
        std::min(budget, best.upper), problem_.scale, solver_.switches().leaf_count);
    const std::uint32_t width = branching_.level_at(0).node.splits.width;
    const bool persists = is_long(limits, most_leaves, width);
    if (found.split != none) first_tree_.grow(found.split, limits, persists, best);
    branching_.publish(best);
    if (persists) first_tree_.grow_with_care(limits, best);
    branching_.publish(best);
}

/// Visit children as at any node, and tell how far the proof is after every step.
template <class Sum>
void RootSearch<Sum>::branch(Limits limits, Cost budget, Cost shallow, Bracket& best) {
    Level<Sum>& root = branching_.level_at(0);
    PriceBounds& prices = solver_.prices();
    if (crew_) crew_->board().exchange(root.bounds, best);
    while (!solver_.scan().is_stopped(root.node)) {
        prices.set_bracket(best.lower, std::min(budget, best.upper));
        prices.keep_pace();
        if (solver_.prices_settle(0, budget, best)) break;
        const Cost goal = std::min(budget, best.upper);
        // Splits are explored in order of their bound, so the root's bound rises.
        const SplitChoice choice = next_split(goal, best);
        branching_.publish(best);
        if (choice.split == none) break;
        const Cost cap =
            cap_at_root(choice, problem_.scale, goal, statistics_.subproblems);
        solver_.explore(0, choice.split, limits, cap + choice.slack, best);
    }
    best.raise(least_rest(root, shallow));
}

template class RootSearch<std::int32_t>;
template class RootSearch<std::int64_t>;

}  // namespace ostrya
