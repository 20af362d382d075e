#include "fronts/search.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace ostrya::fronts {
namespace {

constexpr Weight most_errors = std::numeric_limits<std::int32_t>::max();

}  // namespace

using leaf_sets::LeafCache;
using leaf_sets::LeafSplit;

Search::Search(LeafCache& leaves, LossTable& loss, const Options& options,
               StopSign& stop, Progress& progress)
    : leaves_(leaves),
      loss_(loss),
      options_(options),
      stop_(stop),
      progress_(progress),
      memory_(leaves.memory),
      subproblems_(leaves, options.prices.penalty, memory_),
      least_cost_(leaves, subproblems_, options.prices.penalty, stop),
      points_(memory_),
      goal_(options.upper.value_or(unreachable)),
      lower_(options.lower) {
    // Points hold errors in 32 bits; `callable_search.py` searches for heavier rows
    // over leaf sets. Priced costs are at most 2^58, budgets at most 2^60, so that sums
    // of two fit. Prices are at least 1: errors are divided by them.
    [[maybe_unused]] const leaf_sets::Sums all = leaves.sums(LeafCache::root);
    assert(options.prices.false_positive > 0 && options.prices.false_negative > 0);
    assert(all[0] / options.prices.false_negative <= most_errors);
    assert(all[1] / options.prices.false_positive <= most_errors);
}

/// Parts of the budget that are searched one after the other: what the first find makes
/// the last one smaller.
Result Search::run() {
    weigh_lone_leaf();
    publish();
    if (!leaves_.table.is_complete) return result();
    const std::uint32_t root =
        subproblems_.find_or_add(LeafCache::root, options_.limits.depth);
    const Cost least = least_cost_.of(root, most_budget());
    prove(least + options_.prices.shift);
    for (const Cost part : {16, 4, 1}) {
        const Cost room = most_budget() - least;
        if (stop_.reason() || room < 0) break;
        search_within(least + room / part);
    }
    if (!stop_.reason()) lower_ = goal_;
    publish();
    return result();
}

/// No tree that is wanted has a greater priced cost.
Cost Search::most_budget() const {
    return goal_ - 1 - options_.prices.shift;
}

void Search::search_within(Cost budget) {
    list_root(budget);
    if (!stop_.reason()) prove(budget + 1 + options_.prices.shift);
}

void Search::prove(Cost lower) {
    lower_ = std::max(lower_, std::min(lower, goal_));
    publish();
}

/// Under either label; it is allowed whatever the limits.
void Search::weigh_lone_leaf() {
    Front front(memory_);
    add_leaf(LeafCache::root, unreachable, front);
    best_ = front.points().front();
    weigh(front);
}

/// Label 0 overlooks the positives, label 1 raises alarm at the negatives.
void Search::add_leaf(std::uint32_t leaf, Cost budget, Front& front) const {
    const Prices& prices = options_.prices;
    const leaf_sets::Sums sums = leaves_.sums(leaf);
    const Weight overlooked = sums[0], alarms = sums[1];
    const auto add = [&](Weight fp, Weight fn) {
        const Cost cost = fp + fn + prices.penalty;
        if (cost > budget) return;
        front.add({cost, static_cast<std::int32_t>(fp / prices.false_positive),
                   static_cast<std::int32_t>(fn / prices.false_negative), 1, none, none,
                   none});
    };
    if (overlooked == 0 || alarms == 0) return add(0, 0);
    add(0, overlooked);
    add(alarms, 0);
}

/// Make the front of a subproblem complete up to a budget; false when stopped before.
bool Search::complete(std::uint32_t index, Cost budget) {
    const Subproblem asked = subproblems_.at(index);
    if (asked.budget >= budget) {
        ++n_hits_;
        return true;
    }
    const bool is_too_deep = n_levels_ >= LeastCost::most_front_levels;
    if (memory_.is_exceeded() || is_too_deep) stop_.memory_is_out();
    if (stop_.is_up()) return false;
    Front front(memory_);
    add_leaf(asked.leaf, budget, front);
    const bool is_pure = leaves_.at(asked.leaf).loss == 0;
    const Cost if_split =
        leaves_.sums(asked.leaf).floor() + 2 * options_.prices.penalty;
    if (asked.depth > 0 && !is_pure && if_split <= budget) {
        ++n_levels_;
        const bool is_whole = add_splits(asked, budget, front);
        --n_levels_;
        if (!is_whole) return false;
    }
    front.reduce(is_stopped_);
    keep_living(front, 1);
    if (stop_.is_up()) return false;
    front.sort_by_cost();
    Subproblem& known = subproblems_.at(index);
    known.budget = budget;
    known.first = static_cast<std::uint32_t>(points_.size());
    known.n_points = static_cast<std::uint32_t>(front.points().size());
    points_.insert(points_.end(), front.points().begin(), front.points().end());
    return true;
}

bool Search::add_splits(const Subproblem& parent, Cost budget, Front& front) {
    const auto [first, last] = leaves_.splits(parent.leaf);
    for (std::uint32_t split = first; split < last; ++split) {
        if (!add_split(split, parent.depth - 1, budget, front)) return false;
    }
    return !stop_.reason();
}

/// Add the trees under one split; false when stopped.
bool Search::add_split(std::uint32_t split, std::uint32_t depth, Cost budget,
                       Front& front) {
    const LeafSplit made = leaves_.split(split);
    const std::uint32_t yes = subproblems_.find_or_add(made.yes, depth);
    const std::uint32_t no = subproblems_.find_or_add(made.no, depth);
    Cost yes_least = subproblems_.at(yes).lower, no_least = subproblems_.at(no).lower;
    if (yes_least + no_least > budget) return true;
    yes_least = least_cost_.of(yes, budget - no_least);
    if (yes_least + no_least > budget) return true;
    no_least = least_cost_.of(no, budget - yes_least);
    if (yes_least + no_least > budget) return true;
    if (!complete(yes, budget - no_least)) return false;
    if (!complete(no, budget - yes_least)) return false;
    add_sums(split, yes, no, budget, front);
    return !stop_.reason();
}

/// Every tree of one side with every tree of the other.
void Search::add_sums(std::uint32_t split, std::uint32_t yes, std::uint32_t no,
                      Cost budget, Front& front) {
    const Subproblem one = subproblems_.at(yes), other = subproblems_.at(no);
    for (std::uint32_t i = one.first; i < one.first + one.n_points; ++i) {
        const Point& a = points_[i];
        std::uint32_t j = other.first;
        for (; j < other.first + other.n_points; ++j) {
            const Point& b = points_[j];
            if (a.cost + b.cost > budget) break;
            front.add({a.cost + b.cost, a.false_positives + b.false_positives,
                       a.false_negatives + b.false_negatives, a.leaves + b.leaves,
                       split, i, j});
        }
        if (j == other.first) return;  // the trees that follow are no cheaper
        if (stop_.is_up_before(8 * std::size_t{j - other.first})) return;
        if (!front.is_long()) continue;
        front.reduce(is_stopped_);
        if (memory_.is_exceeded()) stop_.memory_is_out();
    }
}

/// Drop the trees that cannot be part of one that is wanted: their errors alone cost
/// too much, with the leaves that the rest of the tree has at least.
void Search::keep_living(Front& front, std::uint32_t more_leaves) {
    front.keep_if([&](const Point& point) {
        if (stop_.is_up_before(64)) return true;
        const std::uint32_t leaves = point.leaves + more_leaves;
        if (leaves > options_.limits.leaves) return false;
        const Cost limit = goal_ - options_.prices.penalty * Cost{leaves};
        return loss_.may_be_below(point.false_positives, point.false_negatives, limit);
    });
}

/// Weigh every tree within the budget that splits the root.
void Search::list_root(Cost budget) {
    const Subproblem root = subproblems_.at(
        subproblems_.find_or_add(LeafCache::root, options_.limits.depth));
    if (root.depth == 0) return;
    const auto [first, last] = leaves_.splits(root.leaf);
    for (std::uint32_t split = first; split < last; ++split) {
        Front front(memory_);
        const Cost wanted = std::min(budget, most_budget());
        if (!add_split(split, root.depth - 1, wanted, front)) return;
        front.reduce(is_stopped_);
        keep_living(front, 0);
        weigh(front);
    }
}

void Search::weigh(const Front& front) {
    for (const Point& point : front.points()) {
        if (stop_.is_up_before(64)) return;
        const std::optional<Cost> loss =
            loss_.at(point.false_positives, point.false_negatives);
        if (!loss) return;
        const Cost cost = *loss + options_.prices.penalty * Cost{point.leaves};
        if (cost >= best_cost_) continue;
        best_ = point;
        best_cost_ = cost;
        goal_ = std::min(goal_, cost);
        lower_ = std::min(lower_, goal_);
        publish();
    }
}

}  // namespace ostrya::fronts
