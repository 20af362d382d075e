#include "top_k/top_k_solver.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"

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
TopKSolver<Nodes>::TopKSolver(const Problem& problem, const TopK& top_k, StopSign& stop,
                              Progress& progress, MemoryBudget& memory)
    : problem_(problem),
      top_k_(top_k),
      is_uniform_(all_equal(top_k.widths)),
      stop_(stop),
      nodes_(problem, top_k_, stop, memory),
      // Where levels differ in k, so do the trees of a row set at different depths.
      facts_(memory, Switch{is_uniform_, 0}),
      branching_(problem, stop, progress, memory, facts_, statistics_,
                 [this, &memory] { return std::make_unique<Level>(nodes_, memory); }),
      last_levels_(problem, nodes_, branching_.pool(), branching_.statistics, memory) {}

template <class Nodes>
Result TopKSolver<Nodes>::run() {
    nodes_.build_root(branching_.level_at(0).node);
    Limits limits = problem_.limits.without_idle_leaves();
    if (!is_uniform_ && limits.depth == Limits::unlimited) limits.depth = endless;
    Bracket best;
    widen(limits, best);
    return branching_.conclude(
        best, has_left_out_ ? Status::optimal_in_top_k : Status::optimal);
}

/// Search with k = 1, 2, 4, ... up to the k asked for, or to where no node has more.
template <class Nodes>
void TopKSolver<Nodes>::widen(Limits limits, Bracket& best) {
    const std::uint32_t most =
        *std::max_element(top_k_.widths.begin(), top_k_.widths.end());
    for (std::uint64_t width = 1;; width *= 2) {
        widest_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(width, most));
        has_left_out_ = false;
        branching_.memo().forget();
        // A narrower search proves nothing of a wider one.
        best.lower = problem_.scale.penalty;
        best = solve(0, limits, best.upper, best);
        const bool is_last = widest_ == most || !has_left_out_;
        if (is_last || stop_.is_up()) {
            if (!is_last) best.lower = problem_.scale.penalty;
            return;
        }
        best.lower = problem_.scale.penalty;
        branching_.publish(best);
    }
}

/// Find a tree of cost below `budget`, or prove that there is none.
template <class Nodes>
Bracket TopKSolver<Nodes>::solve(std::size_t depth, Limits limits, Cost budget,
                                 Bracket known) {
    ++branching_.statistics.subproblems;
    Level& level = branching_.level_at(depth);
    const CostScale& scale = problem_.scale;
    const Weight loss = nodes_.reader().loss(level.node.rows.total.data(), 1);
    Bracket best = std::move(known);
    best.offer_leaf(scale.cost(loss, 1));
    if (limits.reachable_depth() == 0 || leaf_is_optimal(loss, scale, {})) {
        best.lower = best.upper;
        return best;
    }
    if (best.settles(budget) || stop_.is_up()) return best;
    const std::uint32_t most =
        most_leaves_under(std::min(budget, best.upper), scale, {});
    // Trees with more leaves than `most` cost at least `beyond`, which is no better
    // than what is wanted; all others have depth most - 1 at most. More leaves than
    // rows there are none.
    const Cost beyond =
        most >= level.node.rows.n ? unreachable : (most + Cost{1}) * scale.penalty;
    Cost least = beyond;
    if (most > 1) {
        const std::uint32_t reach = std::min(limits.reachable_depth(), most - 1);
        ++branching_.statistics.first_scans;
        has_left_out_ |= nodes_.choose(level.node, width_at(depth), level.candidates);
        count_scan(level.node);
        if (stop_.is_up()) return best;
        least = std::min(beyond, try_candidates(depth, reach, limits, budget, best));
    }
    best.lower = std::max(best.lower, std::min(best.upper, least));
    return best;
}

/// Every candidate, in the way that suits the depth its subtrees can reach.
template <class Nodes>
Cost TopKSolver<Nodes>::try_candidates(std::size_t depth, std::uint32_t reach,
                                       Limits limits, Cost budget, Bracket& best) {
    if (reach == 1) return try_singles(branching_.level_at(depth), best);
    if constexpr (Nodes::counts_pairs) {
        if (reach == 2) return try_pairs(depth, limits, budget, best);
    }
    return try_splits(depth, limits, budget, best);
}

/// Candidates with a leaf on both sides.
template <class Nodes>
Cost TopKSolver<Nodes>::try_singles(const Level& level, Bracket& best) {
    Cost least = unreachable;
    for (const std::uint32_t split : level.candidates) {
        const Cost cost = problem_.scale.cost(
            side_loss(level.node, nodes_.reader(), split, true) +
                side_loss(level.node, nodes_.reader(), split, false),
            2);
        least = std::min(least, cost);
        if (cost < best.upper) {
            best.lower_to(cost, Subtree::join(branching_.pool(),
                                              level.node.splits.names[split], {}, {}));
        }
    }
    return least;
}

/// Candidates with one split at most on both sides; the least that any of them costs.
template <class Nodes>
Cost TopKSolver<Nodes>::try_pairs(std::size_t depth, Limits limits, Cost budget,
                                  Bracket& best) {
    const Level& level = branching_.level_at(depth);
    Cost least = unreachable;
    if constexpr (Nodes::counts_pairs) {
        for (std::size_t place = 0; place < level.candidates.size(); ++place) {
            const std::uint32_t split = level.candidates[place];
            if (stop_.is_up()) return 2 * problem_.scale.penalty;
            const Cost cap = std::min(budget, best.upper);
            const Cost lower = side_lower(level.node, split, true) +
                               side_lower(level.node, split, false);
            if (lower >= cap) {
                least = std::min(least, lower);
            } else if (!last_levels_.is_repeated(level.node, level.candidates, place)) {
                count_scan(level.node);
                least = std::min(least, last_levels_.try_pair(level.node, split, limits,
                                                              width_at(depth + 1), cap,
                                                              best, has_left_out_));
            }
        }
    }
    return least;
}

/// Search below each candidate in turn; the least that any tree that splits can cost.
template <class Nodes>
Cost TopKSolver<Nodes>::try_splits(std::size_t depth, Limits limits, Cost budget,
                                   Bracket& best) {
    Level& level = branching_.level_at(depth);
    Cost least = unreachable;
    for (const std::uint32_t split : level.candidates) {
        if (stop_.is_up()) return 2 * problem_.scale.penalty;
        const Cost cap = std::min(budget, best.upper);
        Cost lower =
            side_lower(level.node, split, true) + side_lower(level.node, split, false);
        if (lower < cap) {
            nodes_.part(level.node, split, level.partition);
            branching_.memo().prefetch(level.partition.hash(true));
            branching_.memo().prefetch(level.partition.hash(false));
            lower = limits.leaves == Limits::unlimited
                        ? explore(depth, split, limits, cap, best)
                        : share_leaves(depth, split, limits, cap, best);
        }
        least = std::min(least, lower);
        if (depth == 0 && widest_ == top_k_.width(0)) branching_.publish(best);
    }
    return stop_.is_up() ? 2 * problem_.scale.penalty : least;
}

/// Both children of a split, the one that loses more first: it is the likelier to cost
/// too much.
template <class Nodes>
Cost TopKSolver<Nodes>::explore(std::size_t depth, std::uint32_t split, Limits limits,
                                Cost cap, Bracket& best) {
    const Node& node = branching_.level_at(depth).node;
    const Limits below = limits.child();
    const bool yes_first = side_loss(node, nodes_.reader(), split, true) >=
                           side_loss(node, nodes_.reader(), split, false);
    const Cost other = side_lower(node, split, !yes_first);
    const Bracket first = child(depth, split, yes_first, below, cap - other);
    if (first.lower + other >= cap || stop_.is_up()) return first.lower + other;
    const Bracket second = child(depth, split, !yes_first, below, cap - first.lower);
    branching_.join(node.splits.names[split], yes_first ? first : second,
                    yes_first ? second : first, best);
    return first.lower + second.lower;
}

/// The same under a limit on leaves: all ways to share them between the children.
template <class Nodes>
Cost TopKSolver<Nodes>::share_leaves(std::size_t depth, std::uint32_t split,
                                     Limits limits, Cost cap, Bracket& best) {
    const Node& node = branching_.level_at(depth).node;
    return branching_.share_leaves(
        node.splits.names[split], limits, cap, side_lower(node, split, false), best,
        [&](bool yes, Limits share, Cost budget) {
            return child(depth, split, yes, share.without_idle_leaves(), budget);
        });
}

/// A child's bracket, from the memo or by solving it.
template <class Nodes>
Bracket TopKSolver<Nodes>::child(std::size_t depth, std::uint32_t split, bool yes,
                                 Limits limits, Cost budget) {
    Level& level = branching_.level_at(depth);
    const Cost leaf =
        problem_.scale.cost(side_loss(level.node, nodes_.reader(), split, yes), 1);
    const Child task{level.partition.hash(yes), limits, leaf,
                     side_lower(level.node, split, yes)};
    return branching_.child(depth, task, budget, [&](Level& below, Bracket known) {
        nodes_.build(level.node, level.partition, yes, below.node);
        return solve(depth + 1, limits, budget, std::move(known));
    });
}

template <class Nodes>
Cost TopKSolver<Nodes>::side_lower(const Node& node, std::uint32_t split,
                                   bool yes) const {
    const Weight loss = side_loss(node, nodes_.reader(), split, yes);
    return std::min(problem_.scale.cost(loss, 1), 2 * problem_.scale.penalty);
}

template class TopKSolver<CutNodes<std::int32_t>>;
template class TopKSolver<CutNodes<std::int64_t>>;
template class TopKSolver<RowNodes<std::int32_t>>;
template class TopKSolver<RowNodes<std::int64_t>>;

}  // namespace ostrya
