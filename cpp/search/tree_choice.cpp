#include "search/tree_choice.hpp"

#include <algorithm>
#include <tuple>

namespace ostrya {

/// The chosen tree of the node at a level, whose trees cost no less than `cost`; none
/// where the search has to end.
template <class Sum>
std::optional<Subtree> TreeChoice<Sum>::chosen(std::size_t depth, Limits limits,
                                               Cost cost) {
    const Level<Sum>& level = branching_.level_at(depth);
    const Weight loss =
        solver_.builder().reader().loss(level.node.rows.total.data(), 1);
    if (problem_.scale.cost(loss, 1) == cost) return Subtree();
    if (depth > 0) scan(depth, limits, cost);
    Children children;
    for (const std::uint32_t split : candidates(depth, limits, cost)) {
        if (solver_.scan().is_stopped(level.node)) return {};
        if (least_cost(depth, split, limits) > cost) continue;
        if (!reaches(depth, split, limits, cost, children)) continue;
        const auto yes = chosen_child(depth, split, true, children);
        if (!yes) return {};
        const auto no = chosen_child(depth, split, false, children);
        if (!no) return {};
        return Subtree::join(branching_.pool(), level.node.splits.names[split], *yes,
                             *no);
    }
    return {};
}

template <class Sum>
std::optional<Subtree> TreeChoice<Sum>::chosen_child(std::size_t depth,
                                                     std::uint32_t split, bool yes,
                                                     const Children& children) {
    Level<Sum>& level = branching_.level_at(depth);
    level.partition.split(level.node, split);
    if (depth + 1 >= most_levels || !branching_.make_room(depth, level.child_bytes())) {
        return {};
    }
    Level<Sum>& below = branching_.level_at(depth + 1);
    level.partition.build(solver_.builder(), level.node, yes, below.node);
    return chosen(depth + 1, children.limits[yes], children.lowers[yes]);
}

/// Both scans, with no more than the node itself has to say.
template <class Sum>
void TreeChoice<Sum>::scan(std::size_t depth, Limits limits, Cost cost) {
    Level<Sum>& level = branching_.level_at(depth);
    Bracket seen;
    solver_.scan().scan_singles(level, seen);
    level.children.clear();
    level.is_scanned = false;
    if (limits.reachable_depth() < 2) return;
    ScanEffort unbounded;
    solver_.scan().scan_pairs(level, limits, cost + 1, unbounded);
}

/// What trees that begin with this split cost at least: those of depth two, all of
/// which were seen or bounded, and deeper ones.
template <class Sum>
Cost TreeChoice<Sum>::least_cost(std::size_t depth, std::uint32_t split,
                                 Limits limits) const {
    const Level<Sum>& level = branching_.level_at(depth);
    const SplitLosses<Sum>& losses = level.losses;
    Cost shallow = 0;
    for (const bool yes : {true, false}) {
        shallow += losses.seen[split] == Seen::pairs
                       ? solver_.scan()
                             .costs_of(losses.of_child(split, yes), limits.child())
                             .shallow()
                       : problem_.scale.cost(losses.leaf(split, yes), 1);
    }
    return std::min(shallow, level.bounds.rest(split));
}

/// The splits that a tree of this cost may begin with, in the order of the choice.
template <class Sum>
std::vector<std::uint32_t> TreeChoice<Sum>::candidates(std::size_t depth, Limits limits,
                                                       Cost cost) const {
    const Level<Sum>& level = branching_.level_at(depth);
    const SplitLosses<Sum>& losses = level.losses;
    std::vector<std::uint32_t> out;
    for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
        if (losses.seen[split] == Seen::no_split) continue;
        if (least_cost(depth, split, limits) <= cost) out.push_back(split);
    }
    const auto key = [&](std::uint32_t split) {
        const Split name = level.node.splits.names[split];
        return std::tuple(losses.leaf(split, true) + losses.leaf(split, false),
                          name.column, name.cut);
    };
    std::sort(out.begin(), out.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return out;
}

/// Whether some tree of this cost begins with this split, and what its children cost:
/// under a limit on leaves, with as few as can be on the yes side.
template <class Sum>
bool TreeChoice<Sum>::reaches(std::size_t depth, std::uint32_t split, Limits limits,
                              Cost cost, Children& children) {
    Level<Sum>& level = branching_.level_at(depth);
    level.partition.split(level.node, split);
    const Limits below = limits.child();
    children = {{below, below}, {0, 0}};
    const bool is_reached = reaches_within(depth, split, cost, children);
    // What is proved of this split holds along its column: other splits are ruled out.
    for (const bool yes : {false, true}) {
        level.bounds.raise(split, yes, children.lowers[yes]);
    }
    if (!is_reached || limits.leaves == Limits::unlimited) return is_reached;
    for (std::uint32_t share = 1; share < limits.leaves; ++share) {
        children = {{{below.depth, limits.leaves - share}, {below.depth, share}},
                    {0, 0}};
        if (reaches_within(depth, split, cost, children)) return true;
    }
    return false;
}

/// The same with the limits of both children given.
template <class Sum>
bool TreeChoice<Sum>::reaches_within(std::size_t depth, std::uint32_t split, Cost cost,
                                     Children& children) {
    const SplitBounds& bounds = branching_.level_at(depth).bounds;
    // The smaller child first, as in the search.
    const bool yes_first = 2 * bounds.potential(split) < bounds.total_potential();
    Cost other = bounds.side(split, !yes_first);
    for (const bool yes : {yes_first, !yes_first}) {
        const Bracket found =
            solver_.child(depth, split, yes, children.limits[yes], cost + 1 - other);
        children.lowers[yes] = found.lower;
        if (found.upper + other > cost) return false;
        other = found.upper;
    }
    return true;
}

template class TreeChoice<std::int32_t>;
template class TreeChoice<std::int64_t>;

}  // namespace ostrya
