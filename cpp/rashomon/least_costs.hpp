/// The least cost of a tree for a row set, and lower bounds of it.
///
/// Branch and bound with budgets, over row sets that the counting of trees shares. The
/// bounds hold for all trees, also for those that are not wanted (with sibling leaves
/// of one label, or more leaves than allowed): they are lower bounds of the wanted
/// ones.
#pragma once

#include <deque>

#include "bounds/look_ahead.hpp"
#include "rashomon/level.hpp"
#include "rashomon/records.hpp"

namespace ostrya::rashomon {

/// One side of a split of a level, which is parted by it.
struct Child {
    std::uint32_t level;
    std::uint32_t split;
    bool yes;
};

template <class Sum, class Count>
class LeastCosts {
public:
    LeastCosts(const Problem& problem, StopSign& stop, MemoryBudget& memory)
        : records(memory),
          scanner(problem, stop, memory),
          problem_(problem),
          memory_(memory) {}

    Level<Sum>& level(std::uint32_t at);
    /// Build the level below that of the child.
    Level<Sum>& build(const Child& child);

    /// Levels of splits that trees within this scope have at most.
    std::uint32_t reachable_depth(std::uint32_t depth, Cost most) const;
    Place place_of(const RowHash& rows, std::uint32_t depth, Cost most) const;

    /// The least cost of a tree for a child, or a lower bound above the budget.
    Cost least(const Child& child, std::uint32_t depth, Cost budget);

    void bound_as_leaves(Level<Sum>& level);
    /// Raise these bounds by pairs, for every split that may cost less than a goal,
    /// which `next_goal(split)` returns after each of them (B6).
    template <class Goal>
    void bound_children(Level<Sum>& level, std::uint32_t depth, const Goal& next_goal);
    /// The least cost of a tree that begins with a split and ends a level below it.
    Cost shallow_cost(const Level<Sum>& level, std::uint32_t split) const;
    void raise(Level<Sum>& level, std::uint32_t split, bool yes, Cost lower);

    Records<Count> records;
    Scanner<Sum> scanner;

private:
    Cost least_below(std::uint32_t at, std::uint32_t depth, Cost budget);
    void order_splits(Level<Sum>& level, Cost goal);
    Cost cost(Weight loss, Cost leaves) const {
        return problem_.scale.cost(loss, leaves);
    }

    const Problem& problem_;
    MemoryBudget& memory_;
    std::deque<Level<Sum>> levels_;
};

template <class Sum, class Count>
template <class Goal>
void LeastCosts<Sum, Count>::bound_children(Level<Sum>& level, std::uint32_t depth,
                                            const Goal& next_goal) {
    const bool may_grow = depth > 2;
    const auto lower = [&](Weight leaf, Weight two, Weight cell) {
        ChildCosts costs =
            child_costs({leaf, two, cell, unreachable_loss<Sum>}, problem_.scale, {});
        if (!may_grow) costs.more = unreachable;
        return costs.lower();
    };
    Cost goal = next_goal(none);
    const auto is_open = [&](std::uint32_t split) {
        return level.node.splits.is_split[split] &&
               level.yes_lower[split] + level.no_lower[split] < goal;
    };
    scanner.scan_pairs(level, is_open, [&](std::uint32_t split) {
        raise(
            level, split, true,
            lower(level.yes_leaf[split], level.yes_two[split], level.yes_cell[split]));
        raise(level, split, false,
              lower(level.no_leaf[split], level.no_two[split], level.no_cell[split]));
        goal = next_goal(split);
    });
}

}  // namespace ostrya::rashomon
