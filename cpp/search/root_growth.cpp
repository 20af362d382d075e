#include "search/root_growth.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"

namespace ostrya {
namespace {

/// The depths that trees are also grown for where more is allowed: what grows without
/// a limit is seldom as good when it is cut off there.
template <class Grow>
void for_small_depths(std::uint32_t most, Limits limits, StopSign& stop,
                      const Grow& grow) {
    for (std::uint32_t depth = 3; depth <= most && depth < limits.reachable_depth();
         ++depth) {
        if (stop.is_up()) return;
        grow(Limits{depth, limits.leaves});
    }
}

}  // namespace

template <class Sum>
bool RootGrowth<Sum>::before_pairs(Limits limits, Cost budget, Bracket& best) {
    const bool is_settled = grow_before_pairs(limits, budget, best);
    release();
    return is_settled;
}

/// Free the levels that trees were grown at: something else comes next.
template <class Sum>
void RootGrowth<Sum>::release() {
    branching_.release_below(0);
}

template <class Sum>
bool RootGrowth<Sum>::grow_before_pairs(Limits limits, Cost budget, Bracket& best) {
    const Level<Sum>& root = branching_.level_at(0);
    const ScanPlan& plan = solver_.scan.plan;
    const auto goal = [&] { return std::min(budget, best.upper); };
    if (!first_tree_.is_wanted_early(root.node)) {
        if (plan.samples_cuts(root.node, limits, goal())) {
            deepening_.scan_depth_two(root, budget, best);
        }
        return stop_.is_up() || best.settles(budget);
    }
    const auto scan_work = [&] {
        return root.node.work() * plan.most_first_splits(root.node, limits, goal());
    };
    grow_early(limits, scan_work() >= tuning_.long_scan, budget, best);
    if (stop_.is_up() || best.settles(budget)) return true;
    const std::uint64_t work = scan_work();
    if (work < tuning_.long_scan) return false;
    if (!leaves_are_free(limits)) grow_early_within(limits, best);
    PriceSeeker& prices = solver_.prices;
    prices.set_bracket(best.lower, goal());
    prices.seek_before(work);
    return solver_.prices_settle(0, budget, best);
}

/// Trees of small depth before pairs are scanned for deeper ones: in the order of a
/// search that allows no more, so that this one is not behind it. Where leaves are
/// free, a large tree is worth more than any small one, and soon grown of purest
/// splits.
template <class Sum>
void RootGrowth<Sum>::grow_early(Limits limits, bool scan_is_long, Cost budget,
                                 Bracket& best) {
    if (limits.reachable_depth() <= 2) {
        // Pairs are scanned against its cost.
        grow_early_within(limits, best);
        return;
    }
    const bool is_free = leaves_are_free(limits);
    if (is_free) {
        // One of limited depth is there within half the time, and is better than any of
        // small depth.
        const std::uint32_t soon = tuning_.soon_depth;
        grow_purest({std::min(limits.depth, soon), limits.leaves}, best);
        if (limits.depth > soon) grow_purest(limits, best);
        if (stop_.is_up() || best.settles(budget)) return;
    }
    grow_early_within({2, limits.leaves}, best);
    release();
    if (!is_free) deepening_.scan_depth_two(branching_.level_at(0), budget, best);
    for_small_depths(scan_is_long ? tuning_.most_small_depth : 3, limits, stop_,
                     [&](Limits small) { grow_early_within(small, best); });
    if (is_free && !stop_.is_up()) {
        grow_early_within(limits, best);
        deepening_.scan_depth_two(branching_.level_at(0), budget, best);
    }
}

/// A tree of purest splits.
template <class Sum>
void RootGrowth<Sum>::grow_purest(Limits limits, Bracket& best) {
    first_tree_.grow_purest(limits, best);
    branching_.publish(best);
}

/// A tree below the purest split.
template <class Sum>
void RootGrowth<Sum>::grow_early_within(Limits limits, Bracket& best) {
    first_tree_.grow_quickly(limits, best);
    branching_.publish(best);
}

/// They may take a while: small depths get their turns after each of them, as in a
/// search that allows no more, unless leaves are free, so that the tree of most leaves
/// is best.
template <class Sum>
bool RootGrowth<Sum>::below_pair(const BestPair& found, Limits limits, Cost budget,
                                 Bracket& best) {
    const Level<Sum>& root = branching_.level_at(0);
    const auto grow = [&](Limits grown) {
        grow_below(found, grown, true, budget, best);
        release();
        deepening_.keep_pace(root, budget, best);
        stop_.go_on();
    };
    if (leaves_are_free(limits)) grow_below(found, limits, true, budget, best);
    const bool is_wide = first_tree_.is_wanted_early(root.node);
    const bool grows_small = is_wide || problem_.has_many_cuts;
    if (grows_small) for_small_depths(tuning_.most_small_depth, limits, stop_, grow);
    if (!leaves_are_free(limits)) {
        const bool is_first = !grows_small || limits.reachable_depth() <= 3;
        grow_below(found, limits, is_first, budget, best);
    }
    release();
    return best.settles(Solver<Sum>::scan_budget(root.node, limits, budget));
}

template <class Sum>
void RootGrowth<Sum>::grow_below(const BestPair& found, Limits limits, bool is_first,
                                 Cost budget, Bracket& best) {
    const Level<Sum>& root = branching_.level_at(0);
    const std::uint32_t most_leaves = most_leaves_under(
        std::min(budget, best.upper), problem_.scale, solver_.switches.leaf_count);
    const bool persists = is_long(limits, most_leaves);
    if (found.split != none) {
        first_tree_.grow(found.split, limits,
                         {.persists = persists, .is_first = is_first}, best);
    }
    branching_.publish(best);
    // That takes a while: small depths get their turns in between.
    const auto between = [&] {
        deepening_.keep_pace(root, budget, best);
        stop_.go_on();
    };
    if (persists) first_tree_.grow_with_care(limits, between, best);
    branching_.publish(best);
}

/// Whether a search is sure to be long, so that some milliseconds for a better first
/// tree are well spent: many leaves, and many columns or levels to place them.
template <class Sum>
bool RootGrowth<Sum>::is_long(Limits limits, std::uint32_t most_leaves) const {
    const std::uint32_t depth = limits.reachable_depth();
    const std::uint32_t n_splits = branching_.level_at(0).node.splits.width;
    return std::min(limits.leaves, most_leaves) >= tuning_.long_leaves &&
           (depth >= tuning_.long_depth ||
            (depth >= tuning_.long_wide_depth && n_splits >= tuning_.long_wide_splits));
}

template <class Sum>
bool RootGrowth<Sum>::leaves_are_free(Limits limits) const {
    return problem_.scale.penalty == 0 && limits.leaves == Limits::unlimited;
}

template class RootGrowth<std::int32_t>;
template class RootGrowth<std::int64_t>;

}  // namespace ostrya
