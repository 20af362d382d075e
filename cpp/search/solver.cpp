#include "search/solver.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"
#include "search/closing.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

/// Subproblems after which the root's lower bound is raised step by step.
constexpr std::uint64_t patience = 20000;

/// Whether a search is sure to be long, so that some milliseconds for a better first
/// tree are well spent: many leaves, and many columns or levels to place them.
bool is_long(Limits limits, std::uint32_t most_leaves, std::uint32_t n_splits) {
    const std::uint32_t depth = limits.reachable_depth();
    return std::min(limits.leaves, most_leaves) >= 16 &&
           (depth >= 6 || (depth >= 4 && n_splits >= 64));
}

/// B4 and B5 move trees between row sets, which may leave a leaf with too few rows.
Switches usable(Switches switches, const Problem& problem) {
    if (problem.min_samples_leaf > 1) {
        switches.superset.is_on = false;
        switches.similar_support.is_on = false;
    }
    return switches;
}

}  // namespace

template <class Sum>
Solver<Sum>::Solver(const Problem& problem, const Options& options, StopSign& stop,
                    Progress& progress)
    : problem_(problem),
      options_(options),
      switches_(usable(options.switches, problem)),
      stop_(stop),
      progress_(progress),
      builder_(problem),
      counter_(problem, builder_),
      // Rows, trees and scratch share the other half.
      memo_(pool_, options.memory() / 2, options.switches.depth_transfer) {}

template <class Sum>
Level<Sum>& Solver<Sum>::level_at(std::size_t depth) {
    while (levels_.size() <= depth) {
        levels_.push_back(std::make_unique<LevelT>(problem_.grid, switches_));
    }
    return *levels_[depth];
}

template <class Sum>
Result Solver<Sum>::run() {
    LevelT& root = level_at(0);
    builder_.build_root(root.node);
    const Limits limits = drop_idle_limits(problem_.limits, leaf_cost(root.node),
                                           problem_.grid, switches_.leaf_count);
    const Cost base = problem_.grid.scale * problem_.base;
    const Cost budget = options_.upper ? *options_.upper - base : unreachable;
    Bracket best = solve(0, limits, budget, {});
    best.lower = std::min(best.lower, best.upper);
    publish(best);

    Result result;
    result.tree = unfold(pool_, best.tree, problem_);
    result.lower = best.lower + base;
    result.upper = best.upper + base;
    result.status = best.is_solved() ? Status::optimal
                    : best.lower >= budget
                        ? Status::upper_bound
                        : stop_.reason().value_or(Status::memory_limit);
    result.statistics = statistics_;
    close(result.statistics, problem_, memo_, stop_.seconds());
    return result;
}

/// Find a tree of cost below `budget`, or prove that there is none.
template <class Sum>
Bracket Solver<Sum>::solve(std::size_t depth, Limits limits, Cost budget,
                           Bracket known) {
    ++statistics_.subproblems;
    LevelT& level = level_at(depth);
    Bracket best = std::move(known);
    const Cost leaf = leaf_cost(level.node);
    if (leaf <= best.upper) {
        best.upper = leaf;
        best.tree = Subtree();
    }
    const Weight loss = builder_.reader().loss(level.node.total.data(), 1);
    if (limits.depth == 0 || limits.leaves == 1 ||
        leaf_is_optimal(loss, problem_.grid, switches_.leaf_optimal)) {
        best.lower = best.upper;
    } else if (!best.settles(budget) && !scan_node(depth, limits, budget, best)) {
        branch(depth, limits, budget, best);
    }
    return best;
}

/// Scan single splits and pairs; true when that settles the node.
template <class Sum>
bool Solver<Sum>::scan_node(std::size_t depth, Limits limits, Cost budget,
                            Bracket& best) {
    LevelT& level = level_at(depth);
    const Cost penalty = problem_.grid.penalty;
    scan_singles(level, best);
    level.is_scanned = true;
    level.children.clear();
    if (depth > 0 && has_use_for_neighbours(level.node, limits)) {
        level_at(depth - 1).children.hand_down(level.place, limits, level.node,
                                               level.bounds);
    }
    level.unclaimed = unreachable;
    if (limits.reachable_depth() <= 1) {
        best.lower = best.upper;
        return true;
    }
    const Cost goal = std::min(budget, best.upper);
    const std::uint32_t most =
        most_leaves_under(goal, problem_.grid, switches_.leaf_count);
    // Trees with more leaves than `most` cost at least `beyond`, which is no better
    // than the goal; all others have depth most - 1 at most.
    const Cost beyond =
        most == Limits::unlimited ? unreachable : (most + Cost{1}) * penalty;
    if (most <= 2) {
        best.lower = std::max(best.lower, std::min(best.upper, beyond));
        return true;
    }
    if (is_stopped(level.node)) return true;
    if (depth == 0 && pairs_take_long(level.node)) {
        grow_greedily(purest_splits(level).front(), limits, best);
        if (best.settles(budget)) return true;
    }
    // Where depth two is the end and pairs are cheap, solve for good: scanning only as
    // far as the budget asks is repeated with each larger budget.
    if (limits.reachable_depth() == 2 &&
        (level.node.histograms.empty() || level.node.has_cross_tables)) {
        budget = unreachable;
    }
    // Where three leaves are the most, pairs say all; larger trees cost `beyond`.
    const bool is_shallow = most <= 3 && limits.depth > 2;
    const Limits scanned = is_shallow ? Limits{2, limits.leaves} : limits;
    // Then bounds of the splits hold for trees this small, not for neighbours.
    if (is_shallow) level.is_scanned = false;
    const Found found = scan_pairs(level, scanned, std::min(budget, best.upper));
    if (found.cost < std::min(budget, best.upper)) {
        best.lower_to(found.cost, depth_two_tree(level, found));
    } else {
        level.unclaimed = found.cost;
    }
    if (most <= 3) {
        // Of the splits scanned in pairs, only trees with too many leaves are left.
        for (std::uint32_t split = 0; split < level.node.width; ++split) {
            if (level.seen[split] == Seen::pairs)
                level.bounds.raise_rest(split, beyond);
        }
    }
    const Cost unseen = is_shallow ? beyond : unreachable;
    best.lower =
        std::max(best.lower, std::min({best.upper, unseen, least_rest(level)}));
    if (is_stopped(level.node) || best.settles(budget)) return true;
    if (depth == 0) {
        const std::uint32_t leaves = most_leaves_under(
            std::min(budget, best.upper), problem_.grid, switches_.leaf_count);
        persists_ = is_long(limits, leaves, level.node.width);
        if (found.split != none) grow_greedily(found.split, limits, best);
        if (persists_) grow_with_care(limits, best);
    }
    return best.settles(budget);
}

/// How far to raise the bound of a root split before turning to the next one.
///
/// A search that is not soon over proceeds by halves of the gap, so that the root's
/// lower bound rises all the while. What is proved for a half stays in the memo; near
/// the end the rest is done in one go.
template <class Sum>
Cost Solver<Sum>::root_cap(Cost least, Cost goal) const {
    if (statistics_.subproblems < patience) return goal;
    const Cost half = (goal - least) / 2;
    return half <= problem_.grid.penalty || half <= goal / 8 ? goal : least + half;
}

/// Visit children, most promising split first, until nothing can beat the goal.
template <class Sum>
void Solver<Sum>::branch(std::size_t depth, Limits limits, Cost budget, Bracket& best) {
    while (!is_stopped(level_at(depth).node)) {
        LevelT& level = level_at(depth);
        const Cost goal = std::min(budget, best.upper);
        const Choice choice = choose_split(level, goal);
        if (depth == 0) {
            // Splits are taken in order of their bound, so the root's bound rises.
            best.lower = std::max(best.lower, std::min(best.upper, choice.rest));
            publish(best);
        }
        if (choice.split == none) break;
        const Cost cap = depth == 0 ? root_cap(choice.rest, goal) : goal;
        explore(depth, choice.split, limits, cap + choice.slack, best);
    }
    best.lower =
        std::max(best.lower, std::min(best.upper, least_rest(level_at(depth))));
}

/// The open split with the least bound; of a stretch of cuts that share it, the middle:
/// what is proved there reaches furthest to both sides.
template <class Sum>
auto Solver<Sum>::choose_split(const LevelT& level, Cost goal) const -> Choice {
    const Node<Sum>& node = level.node;
    Choice choice{none, goal, 0};
    std::uint32_t longest = 0;
    for (std::uint32_t at = 0; at < node.width; ++at) {
        if (level.seen[at] == Seen::no_split) continue;
        const Cost rest = level.bounds.rest(at);
        if (rest > choice.rest || rest >= goal) continue;
        std::uint32_t end = at + 1;
        if (at >= node.bit_stride) {
            while (node.next[end - 1] == end && level.bounds.rest(end) == rest) ++end;
        }
        if (rest < choice.rest || end - at > longest) {
            longest = end - at;
            choice = {at + longest / 2, rest, 0};
        }
        at = end - 1;
    }
    if (longest > 1) {
        // Proving this much more settles the whole stretch (B5); within reason.
        const std::uint32_t first = choice.split - longest / 2;
        const Weight half =
            level.bounds.potential(choice.split) - level.bounds.potential(first);
        choice.slack = std::min(problem_.grid.scale * half, goal / 8);
    }
    return choice;
}

template <class Sum>
Cost Solver<Sum>::least_rest(const LevelT& level) const {
    Cost least = level.unclaimed;
    for (std::uint32_t split = 0; split < level.node.width; ++split) {
        if (level.seen[split] != Seen::no_split) {
            least = std::min(least, level.bounds.rest(split));
        }
    }
    return least;
}

template class Solver<std::int32_t>;
template class Solver<std::int64_t>;

}  // namespace ostrya
