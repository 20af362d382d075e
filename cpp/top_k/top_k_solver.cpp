#include "top_k/top_k_solver.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"

namespace ostrya {

template <class Nodes>
TopKSolver<Nodes>::TopKSolver(const SearchContext& context,
                              const typename Nodes::Table& table)
    : problem_(context.problem),
      stop_(context.stop),
      width_(*context.options.top_k),
      nodes_(table, *context.options.top_k, stop_, context.memory),
      hints_(context.facts.hints.get()),
      branching_(context,
                 [this, &memory = context.memory] {
                     return std::make_unique<Level>(problem_, nodes_, memory);
                 }),
      last_levels_(nodes_, branching_, width_, stop_, context.memory) {}

/// Find a tree of cost below `budget`, or prove that there is none.
template <class Nodes>
Bracket TopKSolver<Nodes>::solve(std::size_t depth, Limits limits, Cost budget,
                                 Bracket known) {
    ++branching_.statistics.subproblems;
    const CostScale& scale = problem_.scale;
    Bracket best = std::move(known);
    const std::uint32_t most = try_leaf(depth, limits, budget, best);
    if (best.settles(budget) || stop_.is_up()) return best;
    const Level& level = branching_.level_at(depth);
    // Trees with more leaves than `most` cost at least `beyond`, which is no better
    // than what is wanted; all others have depth most - 1 at most. More leaves than
    // rows there are none.
    const Cost beyond =
        most >= level.node.rows.n ? unreachable : (most + Cost{1}) * scale.penalty;
    Cost least = beyond;
    if (most > 1) {
        const std::uint32_t reach = std::min(limits.reachable_depth(), most - 1);
        ++branching_.statistics.first_scans;
        choose(depth);
        stop_.is_up_before(level.n_cells(), level.nanoseconds());  // counts the work
        if (stop_.is_up()) return best;
        least = std::min(beyond, try_candidates(depth, reach, limits, budget, best));
    }
    best.lower = std::max(best.lower, std::min(best.upper, least));
    return best;
}

/// The node as one leaf, settled where no split is allowed or can pay (B2); and how
/// many leaves a tree below `budget` can have (B1).
template <class Nodes>
std::uint32_t TopKSolver<Nodes>::try_leaf(std::size_t depth, Limits limits, Cost budget,
                                          Bracket& best) {
    const Weight loss = branching_.level_at(depth).leaf_loss();
    best.offer_leaf(problem_.scale.cost(loss, 1));
    if (limits.reachable_depth() == 0 || leaf_is_optimal(loss, problem_.scale, {})) {
        best.lower = best.upper;
    }
    return most_leaves_under(std::min(budget, best.upper), problem_.scale, {});
}

template <class Nodes>
bool TopKSolver<Nodes>::root_leaves_out(Limits limits, Bracket known) {
    const Cost budget = known.upper;
    const std::uint32_t most = try_leaf(0, limits, budget, known);
    return !known.settles(budget) && most > 1 && choose(0);
}

/// Every candidate, in the way that suits the depth its subtrees can reach.
template <class Nodes>
Cost TopKSolver<Nodes>::try_candidates(std::size_t depth, std::uint32_t reach,
                                       Limits limits, Cost budget, Bracket& best) {
    if (reach == 1) {
        return try_singles(branching_.level_at(depth), branching_.pool(), best);
    }
    if constexpr (Nodes::counts_pairs) {
        // Nodes whose pairs are counted in tables do not list what the counter needs.
        if (reach == 2 && !branching_.level_at(depth).node.uses_tables) {
            return last_levels_.try_pairs(depth, limits, budget, best);
        }
    }
    return try_splits(depth, reach, limits, budget, best);
}

/// Search below each candidate, in their order but for those that other threads are
/// at; the least that any tree that splits can cost.
template <class Nodes>
Cost TopKSolver<Nodes>::try_splits(std::size_t depth, std::uint32_t reach,
                                   Limits limits, Cost budget, Bracket& best) {
    Level& level = branching_.level_at(depth);
    const bool is_shared = hints_ != nullptr && reach >= 3 &&
                           level.n_cells() >= FixedTuning::least_shared_cells;
    level.open = level.candidates;
    Cost least = unreachable;
    bool joins_others = false;  // for others are at all that is left
    while (!level.open.empty()) {
        std::size_t n_left = 0;
        for (const std::uint32_t split : level.open) {
            if (depth == 0 && look_between_) look_between_(best);
            if (stop_.is_up()) return 2 * problem_.scale.penalty;
            const auto lower = try_split(depth, split, is_shared && !joins_others,
                                         limits, budget, best);
            if (!lower) {
                level.open[n_left++] = split;
                continue;
            }
            least = std::min(least, *lower);
            joins_others = false;
        }
        joins_others = n_left == level.open.size();
        level.open.resize(n_left);
    }
    if (depth == 0 && look_between_) look_between_(best);
    return stop_.is_up() ? 2 * problem_.scale.penalty : least;
}

/// The least that a tree with this first split costs; none if it `shares` the node and
/// another thread is at the split.
template <class Nodes>
std::optional<Cost> TopKSolver<Nodes>::try_split(std::size_t depth, std::uint32_t split,
                                                 bool shares, Limits limits,
                                                 Cost budget, Bracket& best) {
    Level& level = branching_.level_at(depth);
    const Cost cap = std::min(budget, best.upper);
    const Cost lower = level.split_lower(split);
    if (lower >= cap) return lower;
    part(depth, split);
    const auto is_at_others = [&](bool yes) {
        return hints_->is_taken(level.partition.hash(yes));
    };
    if (shares && (is_at_others(true) || is_at_others(false))) return {};
    return limits.leaves == Limits::unlimited
               ? explore(depth, split, limits, cap, best)
               : share_leaves(depth, split, limits, cap, best);
}

/// Part the node at a level by a split.
template <class Nodes>
void TopKSolver<Nodes>::part(std::size_t depth, std::uint32_t split) {
    Level& level = branching_.level_at(depth);
    level.part(split);
    branching_.memo().prefetch(level.partition.hash(true));
    branching_.memo().prefetch(level.partition.hash(false));
}

/// Both children of a split.
template <class Nodes>
Cost TopKSolver<Nodes>::explore(std::size_t depth, std::uint32_t split, Limits limits,
                                Cost cap, Bracket& best) {
    const Level& level = branching_.level_at(depth);
    const Limits below = limits.child();
    const bool yes_first = level.is_yes_first(split);
    const Cost other = level.side_lower(split, !yes_first);
    const Bracket first = child(depth, split, yes_first, below, cap - other);
    if (first.lower + other >= cap || stop_.is_up()) return first.lower + other;
    const Bracket second = child(depth, split, !yes_first, below, cap - first.lower);
    branching_.join(level.node.splits.names[split], yes_first ? first : second,
                    yes_first ? second : first, best);
    return first.lower + second.lower;
}

/// The same under a limit on leaves: all ways to share them between the children.
template <class Nodes>
Cost TopKSolver<Nodes>::share_leaves(std::size_t depth, std::uint32_t split,
                                     Limits limits, Cost cap, Bracket& best) {
    const Level& level = branching_.level_at(depth);
    return branching_.share_leaves(
        level.node.splits.names[split], limits, cap, level.side_lower(split, false),
        best, [&](bool yes, Limits share, Cost budget) {
            return child(depth, split, yes, share.without_idle_leaves(), budget);
        });
}

template <class Nodes>
Bracket TopKSolver<Nodes>::child(std::size_t depth, std::uint32_t split, bool yes,
                                 Limits limits, Cost budget) {
    Level& level = branching_.level_at(depth);
    const Child task{level.partition.hash(yes), limits, level.side_cost(split, yes),
                     level.side_lower(split, yes)};
    return branching_.child(depth, task, budget, [&](Level& below, Bracket known) {
        level.build_child(yes, below);
        return solve(depth + 1, limits, budget, std::move(known));
    });
}

template class TopKSolver<CutNodes<std::int32_t>>;
template class TopKSolver<CutNodes<std::int64_t>>;
template class TopKSolver<RowNodes<std::int32_t>>;
template class TopKSolver<RowNodes<std::int64_t>>;

}  // namespace ostrya
