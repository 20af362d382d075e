#include "rashomon/least_costs.hpp"

namespace ostrya::rashomon {

template <class Sum, class Count>
Level<Sum>& LeastCosts<Sum, Count>::level(std::uint32_t at) {
    while (levels_.size() <= at) levels_.emplace_back(memory_);
    return levels_[at];
}

template <class Sum, class Count>
std::uint32_t LeastCosts<Sum, Count>::reachable_depth(std::uint32_t depth,
                                                      Cost most) const {
    Cost leaves = problem_.limits.leaves;
    if (problem_.scale.penalty > 0) {
        leaves = std::min(leaves, most / problem_.scale.penalty);
    }
    if (leaves <= 1) return 0;
    return static_cast<std::uint32_t>(std::min<Cost>(depth, leaves - 1));
}

/// A depth that trees within the scope cannot reach is no limit, so that a row set met
/// at several depths is one place (B8).
template <class Sum, class Count>
Place LeastCosts<Sum, Count>::place_of(const RowHash& rows, std::uint32_t depth,
                                       Cost most) const {
    const bool binds = reachable_depth(Limits::unlimited, most) > depth;
    return {rows, binds ? depth : Limits::unlimited};
}

template <class Sum, class Count>
Level<Sum>& LeastCosts<Sum, Count>::build(const Child& child) {
    Level<Sum>& below = level(child.level + 1);
    Level<Sum>& above = levels_[child.level];
    scanner.build_child(above, child.yes, below);
    return below;
}

template <class Sum, class Count>
Cost LeastCosts<Sum, Count>::least(const Child& child, std::uint32_t depth,
                                   Cost budget) {
    const Level<Sum>& above = levels_[child.level];
    const Cost leaf = cost(above.leaf(child.split, child.yes), 1);
    const Cost penalty = problem_.scale.penalty;
    if (reachable_depth(depth, std::min(budget, leaf)) == 0) {
        return leaf <= budget ? leaf
                              : std::min(leaf, std::max(2 * penalty, budget + 1));
    }
    const RowHash& rows = above.partition.hash(child.yes);
    const Place place = place_of(rows, depth, std::min(budget, leaf));
    Cost known = 0;
    if (place.depth != Limits::unlimited) {
        if (const auto* any = records.look_up({rows, Limits::unlimited})) {
            known = any->lower;
        }
    }
    const std::uint32_t number = records.find(place);
    {
        const Record<Count>& record = records[number];
        known = std::max(known, record.lower);
        if (record.is_exact || known > budget) return known;
    }
    build(child);
    const Cost found = least_below(child.level + 1, depth, budget);
    Record<Count>& record = records[number];
    record.lower = std::max(record.lower, found);
    record.is_exact = found <= budget;
    return record.lower;
}

/// Branch and bound at a level that is built: its least cost if that is within the
/// budget, else a lower bound above it.
template <class Sum, class Count>
Cost LeastCosts<Sum, Count>::least_below(std::uint32_t at, std::uint32_t depth,
                                         Cost budget) {
    Level<Sum>& here = levels_[at];
    const Cost leaf = cost(here.leaf_loss, 1);
    Cost best = leaf;
    const auto goal = [&] { return std::min(best, budget + 1); };
    const std::uint32_t reach = reachable_depth(depth, goal() - 1);
    if (reach == 0) return goal();
    scanner.scan_singles(here);
    const std::uint32_t width = here.node.splits.width;
    for (std::uint32_t split = 0; split < width; ++split) {
        if (!here.node.splits.is_split[split]) continue;
        best =
            std::min(best, cost(Weight{here.yes_leaf[split]} + here.no_leaf[split], 2));
    }
    if (reach == 1) return goal();
    bound_as_leaves(here);
    bound_children(here, depth, [&](std::uint32_t split) {
        if (split == none) return goal();
        best = std::min(best, shallow_cost(here, split));
        return goal();
    });
    if (reachable_depth(depth, goal() - 1) <= 2) return goal();
    order_splits(here, goal());
    const std::uint32_t below = depth == Limits::unlimited ? depth : depth - 1;
    for (std::size_t index = 0; index < here.order.size(); ++index) {
        const std::uint32_t split = here.order[index];
        if (here.yes_lower[split] + here.no_lower[split] >= goal()) continue;
        here.partition.split(here.node, split);
        // The child that may fail sooner first: the one that costs more as a leaf.
        const bool first = here.yes_leaf[split] >= here.no_leaf[split];
        const auto lower = [&](bool yes) {
            return yes ? here.yes_lower[split] : here.no_lower[split];
        };
        const Cost one = least({at, split, first}, below, goal() - 1 - lower(!first));
        raise(here, split, first, one);
        if (one + lower(!first) >= goal()) continue;
        const Cost other = least({at, split, !first}, below, goal() - 1 - one);
        raise(here, split, !first, other);
        best = std::min(best, one + other);
    }
    return goal();
}

/// Lower bounds of both children of every split, from what they cost as leaves.
template <class Sum, class Count>
void LeastCosts<Sum, Count>::bound_as_leaves(Level<Sum>& level) {
    const std::uint32_t width = level.node.splits.width;
    const Cost penalty = problem_.scale.penalty;
    level.yes_lower.assign(width, unreachable);
    level.no_lower.assign(width, unreachable);
    for (std::uint32_t split = 0; split < width; ++split) {
        if (!level.node.splits.is_split[split]) continue;
        level.yes_lower[split] = std::min(cost(level.yes_leaf[split], 1), 2 * penalty);
        level.no_lower[split] = std::min(cost(level.no_leaf[split], 1), 2 * penalty);
    }
}

template <class Sum, class Count>
Cost LeastCosts<Sum, Count>::shallow_cost(const Level<Sum>& level,
                                          std::uint32_t split) const {
    const auto shallow = [&](Weight one, Weight two) {
        return two < unreachable_loss<Sum> ? std::min(cost(one, 1), cost(two, 2))
                                           : cost(one, 1);
    };
    return shallow(level.yes_leaf[split], level.yes_two[split]) +
           shallow(level.no_leaf[split], level.no_two[split]);
}

template <class Sum, class Count>
void LeastCosts<Sum, Count>::order_splits(Level<Sum>& level, Cost goal) {
    level.order.clear();
    const auto lower = [&](std::uint32_t split) {
        return level.yes_lower[split] + level.no_lower[split];
    };
    for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
        if (level.node.splits.is_split[split] && lower(split) < goal) {
            level.order.push_back(split);
        }
    }
    std::sort(level.order.begin(), level.order.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                  return lower(a) != lower(b) ? lower(a) < lower(b) : a < b;
              });
}

/// Raise the bound of a child, and of those at other cuts of its column: with more rows
/// they cost no less (B4), with fewer they cost less by no more than what these rows
/// can lose (B5). With a least number of rows in a leaf, trees of the larger set may
/// not serve the smaller one.
template <class Sum, class Count>
void LeastCosts<Sum, Count>::raise(Level<Sum>& level, std::uint32_t split, bool yes,
                                   Cost lower) {
    Vector<Cost>& bounds = yes ? level.yes_lower : level.no_lower;
    bounds[split] = std::max(bounds[split], lower);
    if (problem_.min_samples_leaf > 1) return;
    const NodeSplits<Sum>& splits = level.node.splits;
    const Vector<std::uint32_t>&larger = yes ? splits.next : splits.previous,
          &smaller = yes ? splits.previous : splits.next;
    for (std::uint32_t other = larger[split]; other != none && bounds[other] < lower;
         other = larger[other]) {
        bounds[other] = lower;
    }
    for (std::uint32_t other = smaller[split]; other != none; other = smaller[other]) {
        const Weight apart = std::abs(level.potential[split] - level.potential[other]);
        const Cost still = lower - problem_.scale.factor * apart;
        if (still <= bounds[other]) break;
        bounds[other] = still;
    }
}

template class LeastCosts<std::int32_t, std::uint64_t>;
template class LeastCosts<std::int32_t, Wide>;
template class LeastCosts<std::int32_t, Natural>;
template class LeastCosts<std::int64_t, std::uint64_t>;
template class LeastCosts<std::int64_t, Wide>;
template class LeastCosts<std::int64_t, Natural>;

}  // namespace ostrya::rashomon
