/// Both children of one candidate.
#include <algorithm>

#include "search/branching.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {

/// Both children of a split, the larger first: it is the likelier to cost too much.
template <class Nodes>
Cost TopKSolver<Nodes>::explore(std::size_t depth, std::uint32_t split, Limits limits,
                                Cost cap, Bracket& best) {
    const Level& level = level_at(depth);
    const Limits below = limits.child();
    const bool first_is_yes =
        side_loss(level.node, split, true) >= side_loss(level.node, split, false);
    const Cost other = side_lower(level.node, split, !first_is_yes);
    const Bracket first = child(depth, split, first_is_yes, below, cap - other);
    if (first.lower + other >= cap || stop_.is_up()) return first.lower + other;
    const Bracket second = child(depth, split, !first_is_yes, below, cap - first.lower);
    const Cost cost = first.upper + second.upper;
    if (cost < best.upper) {
        best.lower_to(cost, Subtree::join(pool_, level.node.splits[split],
                                          first_is_yes ? first.tree : second.tree,
                                          first_is_yes ? second.tree : first.tree));
    }
    return first.lower + second.lower;
}

/// The same under a limit on leaves: all ways to share them between the children.
template <class Nodes>
Cost TopKSolver<Nodes>::share_leaves(std::size_t depth, std::uint32_t split,
                                     Limits limits, Cost cap, Bracket& best) {
    const Level& level = level_at(depth);
    const Cost no_lower = side_lower(level.node, split, false);
    Cost least = unreachable;
    for (std::uint32_t share = 1; share < limits.leaves; ++share) {
        const Cost goal = std::min(cap, best.upper);
        const Limits below = limits.child();
        const Bracket yes =
            child(depth, split, true, Limits{below.depth, share}.without_idle_leaves(),
                  goal - no_lower);
        Cost lower = yes.lower + no_lower;
        if (lower < goal && !stop_.is_up()) {
            const Limits rest =
                Limits{below.depth, limits.leaves - share}.without_idle_leaves();
            const Bracket no = child(depth, split, false, rest, goal - yes.lower);
            lower = yes.lower + no.lower;
            if (yes.upper + no.upper < best.upper) {
                best.lower_to(
                    yes.upper + no.upper,
                    Subtree::join(pool_, level.node.splits[split], yes.tree, no.tree));
            }
        }
        least = std::min(least, lower);
    }
    return least;
}

/// A child's bracket, from the memo or by solving it.
template <class Nodes>
Bracket TopKSolver<Nodes>::child(std::size_t depth, std::uint32_t split, bool yes,
                                 Limits limits, Cost budget) {
    Level& level = level_at(depth);
    const RowHash hash = level.parting.hash(yes);
    const Cost leaf = problem_.grid.of(side_loss(level.node, split, yes), 1);
    Bracket known = memo_.find(hash, limits);
    known.lower = std::max(known.lower, side_lower(level.node, split, yes));
    if (leaf <= known.upper) {
        known.upper = leaf;
        known.tree = Subtree();
    }
    if (known.settles(budget)) return known;
    if (depth + 1 >= most_levels ||
        !make_room_below(
            levels_, depth, nodes_.bytes_below(level), options_.memory(),
            [this] { return memory_now(); }, [this] { memo_.forget(); })) {
        stop_.memory_is_out();
        return known;
    }
    Level& below = level_at(depth + 1);
    nodes_.build(level.node, level.parting, yes, below.node);
    const std::uint64_t before = statistics_.subproblems;
    Bracket found = solve(depth + 1, limits, budget, std::move(known));
    memo_.store(hash, limits, found, statistics_.subproblems - before);
    watch_memory();
    return found;
}

template Cost TopKSolver<CutNodes<std::int32_t>>::explore(std::size_t, std::uint32_t,
                                                          Limits, Cost, Bracket&);
template Cost TopKSolver<CutNodes<std::int64_t>>::explore(std::size_t, std::uint32_t,
                                                          Limits, Cost, Bracket&);
template Cost TopKSolver<CutNodes<std::int32_t>>::share_leaves(std::size_t,
                                                               std::uint32_t, Limits,
                                                               Cost, Bracket&);
template Cost TopKSolver<CutNodes<std::int64_t>>::share_leaves(std::size_t,
                                                               std::uint32_t, Limits,
                                                               Cost, Bracket&);
template Cost TopKSolver<RowNodes<std::int32_t>>::explore(std::size_t, std::uint32_t,
                                                          Limits, Cost, Bracket&);
template Cost TopKSolver<RowNodes<std::int64_t>>::explore(std::size_t, std::uint32_t,
                                                          Limits, Cost, Bracket&);
template Cost TopKSolver<RowNodes<std::int32_t>>::share_leaves(std::size_t,
                                                               std::uint32_t, Limits,
                                                               Cost, Bracket&);
template Cost TopKSolver<RowNodes<std::int64_t>>::share_leaves(std::size_t,
                                                               std::uint32_t, Limits,
                                                               Cost, Bracket&);

}  // namespace ostrya
