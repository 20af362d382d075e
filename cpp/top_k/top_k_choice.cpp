#include "top_k/top_k_choice.hpp"

#include <utility>

namespace ostrya {

/// The chosen tree of the node at a level, the best of whose trees have this cost; none
/// where the search has to end.
template <class Nodes>
std::optional<Subtree> TopKChoice<Nodes>::chosen(std::size_t depth, Limits limits,
                                                 Cost cost) {
    const Level& level = branching_.level_at(depth);
    if (level.leaf_cost() == cost) return Subtree();
    solver_.choose(depth);
    Children children;
    for (const std::uint32_t split : level.candidates) {
        if (stop_.is_up()) return {};
        if (!reaches(depth, split, limits, cost, children)) continue;
        const auto yes = chosen_child(depth, true, children);
        if (!yes) return {};
        const auto no = chosen_child(depth, false, children);
        if (!no) return {};
        return Subtree::join(branching_.pool(), level.node.splits.names[split], *yes,
                             *no);
    }
    return {};
}

template <class Nodes>
std::optional<Subtree> TopKChoice<Nodes>::chosen_child(std::size_t depth, bool yes,
                                                       const Children& children) {
    Level& level = branching_.level_at(depth);
    if (depth + 1 >= most_search_levels ||
        !branching_.make_room(depth, level.child_bytes())) {
        return {};
    }
    level.build_child(yes, branching_.level_at(depth + 1));
    return chosen(depth + 1, children.limits[yes], children.costs[yes]);
}

/// Whether some tree of this cost begins with this split, and what its children cost:
/// under a limit on leaves, with as few as can be on the yes side.
template <class Nodes>
bool TopKChoice<Nodes>::reaches(std::size_t depth, std::uint32_t split, Limits limits,
                                Cost cost, Children& children) {
    const Limits below = limits.child();
    if (limits.leaves == Limits::unlimited) {
        children.limits[0] = children.limits[1] = below;
        return reaches_within(depth, split, cost, children);
    }
    for (std::uint32_t share = 1; share < limits.leaves; ++share) {
        if (stop_.is_up()) return false;
        children.limits[1] = Limits{below.depth, share}.without_idle_leaves();
        children.limits[0] =
            Limits{below.depth, limits.leaves - share}.without_idle_leaves();
        if (reaches_within(depth, split, cost, children)) return true;
    }
    return false;
}

/// The same with the limits of both children given.
template <class Nodes>
bool TopKChoice<Nodes>::reaches_within(std::size_t depth, std::uint32_t split,
                                       Cost cost, Children& children) {
    const Level& level = branching_.level_at(depth);
    if (level.split_lower(split) > cost) return false;
    solver_.part(depth, split);
    // As in the search, so that the memo knows.
    const bool yes_first = level.is_yes_first(split);
    Cost other = level.side_lower(split, !yes_first);
    for (const bool yes : {yes_first, !yes_first}) {
        const Bracket found =
            solver_.child(depth, split, yes, children.limits[yes], cost + 1 - other);
        if (!found.is_solved() || found.upper + other > cost) return false;
        children.costs[yes] = other = found.upper;
    }
    return true;
}

template class TopKChoice<CutNodes<std::int32_t>>;
template class TopKChoice<CutNodes<std::int64_t>>;
template class TopKChoice<RowNodes<std::int32_t>>;
template class TopKChoice<RowNodes<std::int64_t>>;

}  // namespace ostrya
