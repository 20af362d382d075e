/// Both children of one split.
#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "search/branching.hpp"
#include "search/solver.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

/// What is kept of the children of one node may take this much.
constexpr std::uint64_t most_neighbour_bytes = std::uint64_t{64} << 20;

}  // namespace

/// Look for a tree with this first split that costs less than `cap`, or raise the
/// split's lower bound to `cap`.
template <class Sum>
void Solver<Sum>::explore(std::size_t depth, std::uint32_t split, Limits limits,
                          Cost cap, Bracket& best) {
    LevelT& level = level_at(depth);
    SplitBounds& bounds = level.bounds;
    level.parting.take(level.node, split);
    memo_.prefetch(level.parting.hash(true));
    memo_.prefetch(level.parting.hash(false));
    if (limits.leaves != Limits::unlimited) {
        share_leaves(depth, split, limits, cap, best);
        return;
    }
    const Limits below = limits.child();
    count_children(depth, split, below, cap);
    if (bounds.rest(split) >= std::min(cap, best.upper)) return;
    const auto visit = [&](bool yes) {
        const Cost sibling = yes ? bounds.no(split) : bounds.yes(split);
        const Bracket found = child(depth, split, yes, below, cap - sibling);
        yes ? bounds.raise_yes(split, found.lower)
            : bounds.raise_no(split, found.lower);
        return found;
    };
    // The larger child first: its bound says more.
    const Weight potential = builder_.reader().potential(level.node.total.data(), 1);
    const bool yes_first = 2 * builder_.reader().potential(
                                   level.node.yes.data() + split, level.node.width) <
                           potential;
    const Bracket first = visit(yes_first);
    if (bounds.rest(split) >= cap || is_stopped(level.node)) return;
    const Bracket second = visit(!yes_first);
    const Cost cost = first.upper + second.upper;
    if (cost < best.upper) {
        best.lower_to(cost, Subtree::join(pool_, level.node.splits[split],
                                          yes_first ? first.tree : second.tree,
                                          yes_first ? second.tree : first.tree));
    }
}

/// The same under a limit on leaves: all ways to share them between the children.
///
/// First each child gets all leaves but one. Only when the two trees found together
/// have too many are the shares tried one by one.
template <class Sum>
void Solver<Sum>::share_leaves(std::size_t depth, std::uint32_t split, Limits limits,
                               Cost cap, Bracket& best) {
    LevelT& level = level_at(depth);
    SplitBounds& bounds = level.bounds;
    const Split here = level.node.splits[split];
    const Limits below = limits.child();
    const Bracket yes = child(depth, split, true, below, cap - bounds.no(split));
    bounds.raise_yes(split, yes.lower);
    if (bounds.rest(split) >= cap || is_stopped(level.node)) return;
    const Bracket no = child(depth, split, false, below, cap - bounds.yes(split));
    bounds.raise_no(split, no.lower);
    if (bounds.rest(split) >= cap || is_stopped(level.node)) return;
    if (count_leaves(pool_, yes.tree) + count_leaves(pool_, no.tree) <= limits.leaves) {
        best.lower_to(yes.upper + no.upper,
                      Subtree::join(pool_, here, yes.tree, no.tree));
        return;
    }
    Cost least = unreachable;
    for (std::uint32_t share = 1; share < limits.leaves; ++share) {
        const Cost goal = std::min(cap, best.upper);
        const Limits yes_limits{below.depth, share};
        const Limits no_limits{below.depth, limits.leaves - share};
        const Bracket a = child(depth, split, true, yes_limits, goal - no.lower);
        if (is_stopped(level.node)) return;
        if (a.lower + no.lower >= goal) {
            least = std::min(least, a.lower + no.lower);
            continue;
        }
        const Bracket b = child(depth, split, false, no_limits, goal - a.lower);
        if (is_stopped(level.node)) return;
        least = std::min(least, a.lower + b.lower);
        if (a.upper + b.upper < best.upper) {
            best.lower_to(a.upper + b.upper,
                          Subtree::join(pool_, here, a.tree, b.tree));
        }
    }
    bounds.raise_rest(split, least);
}

/// Whether what neighbours proved saves a node work: where pairs are dear and are not
/// all counted anyway.
template <class Sum>
bool Solver<Sum>::has_use_for_neighbours(const Node<Sum>& node, Limits limits) const {
    return !node.histograms.empty() &&
           !(node.has_cross_tables && limits.reachable_depth() <= 2);
}

/// A child's bracket, from the memo or by solving it.
template <class Sum>
Bracket Solver<Sum>::child(std::size_t depth, std::uint32_t split, bool yes,
                           Limits limits, Cost budget) {
    LevelT& level = level_at(depth);
    const Weight loss = yes ? level.yes_loss[split] : level.no_loss_[split];
    const Cost leaf = problem_.grid.of(loss, 1);
    limits = drop_idle_limits(limits, leaf, problem_.grid, switches_.leaf_count);
    const RowHash hash = level.parting.hash(yes);
    Bracket known = memo_.find(hash, limits);
    if (leaf <= known.upper) {
        known.upper = leaf;
        known.tree = Subtree();
    }
    if (known.settles(budget)) return known;
    if (depth + 1 >= most_levels || !make_room(depth)) {
        stop_.memory_is_out();
        return known;
    }
    LevelT& below = level_at(depth + 1);
    level.parting.build(builder_, level.node, yes, below.node);
    const std::uint64_t before = statistics_.subproblems;
    below.place = {level.node.splits[split], yes};
    below.is_scanned = false;
    Bracket found = solve(depth + 1, limits, budget, std::move(known));
    memo_.store(hash, limits, found, statistics_.subproblems - before);
    if (below.is_scanned && has_use_for_neighbours(below.node, limits)) {
        level.children.keep(below.place, limits, below.node, below.bounds,
                            std::min(options_.memory() / 8, most_neighbour_bytes));
    }
    watch_memory();
    return found;
}

template void Solver<std::int32_t>::explore(std::size_t, std::uint32_t, Limits, Cost,
                                            Bracket&);
template bool Solver<std::int32_t>::has_use_for_neighbours(const Node<std::int32_t>&,
                                                           Limits) const;
template bool Solver<std::int64_t>::has_use_for_neighbours(const Node<std::int64_t>&,
                                                           Limits) const;
template Bracket Solver<std::int32_t>::child(std::size_t, std::uint32_t, bool, Limits,
                                             Cost);
template void Solver<std::int64_t>::explore(std::size_t, std::uint32_t, Limits, Cost,
                                            Bracket&);
template Bracket Solver<std::int64_t>::child(std::size_t, std::uint32_t, bool, Limits,
                                             Cost);

}  // namespace ostrya
