#include "search/first_tree.hpp"

namespace ostrya {

template <class Sum>
bool FirstTree<Sum>::is_wanted_early(const Node<Sum>& root) const {
    return std::int64_t{root.splits.width} * root.splits.width >
           tuning_.wide_root_pairs;
}

template <class Sum>
void FirstTree<Sum>::grow(std::uint32_t split, Limits limits, GreedyPlan plan,
                          Bracket& best) {
    Growth growth{{plan.is_first ? tuning_.greedy_cells : tuning_.later_greedy_cells},
                  plan.persists};
    descend(0, split, limits, growth, &FirstTree::greedy, best);
}

template <class Sum>
void FirstTree<Sum>::grow_quickly(Limits limits, Bracket& best) {
    Growth growth{{tuning_.early_cells}, false};
    const std::uint32_t split = purities_.purest(steps_.level_at(0).node);
    descend(0, split, limits, growth, &FirstTree::greedy, best);
}

template <class Sum>
void FirstTree<Sum>::grow_purest(Limits limits, Bracket& best) {
    const Bracket found = purest(0, limits);
    best.lower_to(found.upper, found.tree);
}

template <class Sum>
Bracket FirstTree<Sum>::purest(std::size_t depth, Limits limits) {
    const Node<Sum>& node = steps_.level_at(depth).node;
    Bracket best;
    if (steps_.ends_as_leaf(depth, limits, best) || scan_.is_stopped(node)) return best;
    const std::uint32_t split = purities_.purest(node);
    if (split != none) {
        const auto again = [this](std::size_t at, Limits below) {
            return purest(at, below);
        };
        steps_.descend(depth, split, limits, again, best);
    }
    return best;
}

template <class Sum>
void FirstTree<Sum>::grow_with_care(Limits limits, const std::function<void()>& between,
                                    Bracket& best) {
    Growth around{{tuning_.around_cells}, true};
    const std::uint32_t split = try_columns(0, limits, around, between, best);
    // Without a limit there are no last levels: it would be the greedy tree once more.
    const bool has_last_levels = limits.reachable_depth() != Limits::unlimited;
    if (split != none && has_last_levels &&
        steps_.level_at(0).node.splits.width <= tuning_.narrow_root_splits) {
        Growth unbounded{{}, true};
        descend(0, split, limits, unbounded, &FirstTree::exact_below, best);
    }
}

/// Try one split of every column with greedy trees below it: a split is worth what
/// grows below. Then do the same in the children of the best.
template <class Sum>
std::uint32_t FirstTree<Sum>::try_columns(std::size_t depth, Limits limits,
                                          Growth& growth,
                                          const std::function<void()>& between,
                                          Bracket& best) {
    if (limits.reachable_depth() <= 2) return none;
    std::uint32_t chosen = none;
    const Node<Sum>& node = steps_.level_at(depth).node;
    for (const std::uint32_t split : purities_.purest_of_columns(node)) {
        if (between) between();
        if (growth.effort.is_spent() || stop_.is_up()) return chosen;
        const Cost before = best.upper;
        descend(depth, split, limits, growth, &FirstTree::greedy, best);
        if (best.upper < before || chosen == none) chosen = split;
    }
    if (chosen != none) {
        descend(depth, chosen, limits, growth, &FirstTree::careful, best);
    }
    return chosen;
}

template <class Sum>
Bracket FirstTree<Sum>::careful(std::size_t depth, Limits limits, Growth& growth) {
    Bracket best = greedy(depth, limits, growth);
    if (best.tree.index() != 0) try_columns(depth, limits, growth, {}, best);
    return best;
}

template <class Sum>
Bracket FirstTree<Sum>::greedy(std::size_t depth, Limits limits, Growth& growth) {
    return look_ahead(depth, limits, growth, &FirstTree::greedy);
}

/// A greedy tree whose last three levels are the best there are.
template <class Sum>
Bracket FirstTree<Sum>::exact_below(std::size_t depth, Limits limits, Growth& growth) {
    if (limits.reachable_depth() <= 3) {
        return solver_.solve(depth, limits, unreachable, {});
    }
    // What was proved below another node of this level says nothing of this one.
    steps_.level_at(depth).children.clear();
    return look_ahead(depth, limits, growth, &FirstTree::exact_below);
}

/// The split with the best two levels, and what grows below it.
template <class Sum>
Bracket FirstTree<Sum>::look_ahead(std::size_t depth, Limits limits, Growth& growth,
                                   Grow grow_below) {
    Level<Sum>& level = steps_.level_at(depth);
    Bracket best;
    if (steps_.ends_as_leaf(depth, limits, best) || scan_.is_stopped(level.node))
        return best;
    scan_.scan_singles(level, best);
    std::uint32_t split = none;
    if (limits.reachable_depth() >= 2 && !growth.effort.is_spent()) {
        const BestPair found =
            scan_.scan_pairs(level, limits, best.upper, growth.effort);
        if (found.cost < best.upper) {
            best.lower_to(found.cost, scan_.tree_of(level, found));
            split = found.split;
        }
    }
    if (split == none && (growth.persists || growth.effort.is_spent())) {
        split = purities_.purest(level.node);
    }
    if (split != none && limits.reachable_depth() > 1) {
        descend(depth, split, limits, growth, grow_below, best);
    }
    return best;
}

/// Grow trees below both children of a split.
template <class Sum>
void FirstTree<Sum>::descend(std::size_t depth, std::uint32_t split, Limits limits,
                             Growth& growth, Grow grow_below, Bracket& best) {
    const auto grow = [&](std::size_t at, Limits below) {
        return (this->*grow_below)(at, below, growth);
    };
    steps_.descend(depth, split, limits, grow, best);
}

template class FirstTree<std::int32_t>;
template class FirstTree<std::int64_t>;

}  // namespace ostrya
