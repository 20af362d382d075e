#include "search/tree_choice.hpp"

#include <algorithm>
#include <functional>

namespace ostrya {

/// The chosen tree of the node at a level, whose trees cost no less than `cost`; none
/// where the search has to end.
template <class Sum>
std::optional<Subtree> TreeChoice<Sum>::chosen(std::size_t depth, Limits limits,
                                               Cost cost) {
    const Level<Sum>& level = branching_.level_at(depth);
    const Weight loss = solver_.builder.reader().loss(level.node.rows.total.data(), 1);
    if (problem_.scale.cost(loss, 1) == cost) return Subtree();
    if (depth > 0) scan(depth, limits, cost);
    Children children;
    Refuted refuted;
    Vector<Candidate> open = candidates(depth, limits, cost);
    while (!open.empty()) {
        if (solver_.scan.is_stopped(level.node)) return {};
        std::pop_heap(open.begin(), open.end(), std::greater<>());
        const std::uint32_t split = open.back().split;
        open.pop_back();
        if (!is_open(depth, split, limits, cost)) continue;
        look_beyond(depth, split, limits, cost, refuted);
        if (!is_open(depth, split, limits, cost)) continue;
        if (!reaches(depth, split, limits, cost, children)) {
            refuted.split = level.node.splits.names[split];
            continue;
        }
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
    if (depth + 1 >= most_search_levels ||
        !branching_.make_room(depth, level.child_bytes())) {
        return {};
    }
    Level<Sum>& below = branching_.level_at(depth + 1);
    level.partition.build(solver_.builder, level.node, yes, below.node);
    return chosen(depth + 1, children.limits[yes], children.lowers[yes]);
}

/// Both scans, with no more than the node itself has to say.
template <class Sum>
void TreeChoice<Sum>::scan(std::size_t depth, Limits limits, Cost cost) {
    Level<Sum>& level = branching_.level_at(depth);
    Bracket seen;
    solver_.scan.scan_singles(level, seen);
    level.children.clear();
    level.is_scanned = false;
    if (limits.reachable_depth() < 2) return;
    ScanEffort unbounded;
    solver_.scan.scan_pairs(level, limits, cost + 1, unbounded);
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
        shallow +=
            losses.seen[split] == Seen::pairs
                ? solver_.scan.costs_of(losses.of_child(split, yes), limits.child())
                      .shallow()
                : problem_.scale.cost(losses.leaf(split, yes), 1);
    }
    return std::min(shallow, level.bounds.rest(split));
}

template <class Sum>
bool TreeChoice<Sum>::is_open(std::size_t depth, std::uint32_t split, Limits limits,
                              Cost cost) const {
    return branching_.level_at(depth).losses.seen[split] != Seen::no_split &&
           least_cost(depth, split, limits) <= cost;
}

/// The splits that a tree of this cost may begin with, a heap in the order of the
/// choice: most often one of the first is taken.
template <class Sum>
auto TreeChoice<Sum>::candidates(std::size_t depth, Limits limits, Cost cost) const
    -> Vector<Candidate> {
    const Level<Sum>& level = branching_.level_at(depth);
    const SplitLosses<Sum>& losses = level.losses;
    Vector<Candidate> out(memory_);
    for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
        if (!is_open(depth, split, limits, cost)) continue;
        const Split name = level.node.splits.names[split];
        out.push_back({losses.leaf(split, true) + losses.leaf(split, false),
                       name.column, name.cut, split});
    }
    std::make_heap(out.begin(), out.end(), std::greater<>());
    return out;
}

/// After one cut was refuted and the next is another of its column: try one beyond
/// first, further off each time, and half as far while that does not refute the next.
/// What is proved of one cut holds for all cuts to one side of it (B4): those between
/// fall together, for which there would be a search each.
template <class Sum>
void TreeChoice<Sum>::look_beyond(std::size_t depth, std::uint32_t split, Limits limits,
                                  Cost cost, Refuted& refuted) {
    const NodeSplits<Sum>& splits = branching_.level_at(depth).node.splits;
    const Split name = splits.names[split];
    if (!refuted.is_beside(name)) {
        refuted.stride = 0;
        return;
    }
    const bool goes_up = refuted.split->cut < name.cut;
    const auto& along = goes_up ? splits.next : splits.previous;
    refuted.stride = std::max(1u, 2 * refuted.stride);
    for (; refuted.stride > 0; refuted.stride /= 2) {
        std::uint32_t far = split, step = 0;
        for (; step < refuted.stride; ++step) {
            const std::uint32_t next = along[far];
            if (next == none || !is_open(depth, next, limits, cost)) break;
            far = next;
        }
        refuted.stride = step;
        Children ignored;
        if (far == split || reaches(depth, far, limits, cost, ignored)) break;
        if (!is_open(depth, split, limits, cost)) return;
    }
    refuted.stride = 0;
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
    const bool yes_first = 2 * bounds.of(split).potential < bounds.total_potential();
    Cost other = bounds.of(split).side(!yes_first);
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
