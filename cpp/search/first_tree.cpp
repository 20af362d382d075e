#include "search/first_tree.hpp"

#include <algorithm>

#include "bounds/leaf_optimal.hpp"

namespace ostrya {
namespace {

constexpr std::size_t most_greedy_levels = 64;

/// Cells that greedy pair scans may look at, some tenths of a second; beyond, splits
/// are chosen by purity.
constexpr std::int64_t greedy_cells = 400'000'000;
/// The same for every tree but the first: of a search that allows less there would be
/// none.
constexpr std::int64_t more_greedy_cells = 50'000'000;

/// The same before the pairs of a wide root are scanned, some hundredths of a second.
constexpr std::int64_t early_cells = 15'000'000;

/// The same for the trees tried below other root splits, some milliseconds.
constexpr std::int64_t around_cells = 1'500'000;

/// A root this wide takes long to scan: it gets a greedy tree beforehand.
constexpr std::int64_t wide_root = 20'000'000;

/// A root with this few splits: three levels below are solved in milliseconds.
constexpr std::uint32_t narrow_root = 150;

}  // namespace

template <class Sum>
bool FirstTree<Sum>::is_wanted_early(const Node<Sum>& root) {
    return std::int64_t{root.splits.width} * root.splits.width > wide_root;
}

template <class Sum>
std::uint32_t FirstTree<Sum>::purest_split(const Node<Sum>& node) {
    const std::vector<std::uint32_t> pure = purest_splits(node);
    return pure.empty() ? none : pure.front();
}

template <class Sum>
void FirstTree<Sum>::grow(std::uint32_t split, Limits limits, bool persists,
                          bool is_first, Bracket& best) {
    Growth growth{{is_first ? greedy_cells : more_greedy_cells}, persists};
    descend(0, split, limits, growth, &FirstTree::greedy, best);
}

template <class Sum>
void FirstTree<Sum>::grow_quickly(std::uint32_t split, Limits limits, Bracket& best) {
    Growth growth{{early_cells}, false};
    descend(0, split, limits, growth, &FirstTree::greedy, best);
}

template <class Sum>
void FirstTree<Sum>::grow_with_care(Limits limits, const std::function<void()>& between,
                                    Bracket& best) {
    Growth around{{around_cells}, true};
    const std::uint32_t split = try_columns(0, limits, around, between, best);
    // Without a limit there are no last levels: it would be the greedy tree once more.
    const bool has_last_levels = limits.reachable_depth() != Limits::unlimited;
    if (split != none && has_last_levels &&
        branching_.level_at(0).node.splits.width <= narrow_root) {
        Growth unbounded{{}, true};
        descend(0, split, limits, unbounded, &FirstTree::exact_below, best);
    }
}

/// How pure the children of each split are, by Gini: it tells progress where no single
/// split lowers the loss. Loops over all splits at once are short.
template <class Sum>
void FirstTree<Sum>::find_purities(const Node<Sum>& node) {
    const std::uint32_t width = node.splits.width;
    for (Side* side : {&yes_, &no_}) {
        side->sums.assign(width, 0);
        side->squares.assign(width, 0);
    }
    for (std::uint32_t label = 0; label < problem_.layout.n_labels; ++label) {
        const Sum* sums = node.splits.yes.data() + std::size_t{label} * width;
        const auto total = static_cast<double>(node.rows.total[label]);
        for (std::uint32_t split = 0; split < width; ++split) {
            const auto yes = static_cast<double>(sums[split]);
            const double no = total - yes;
            yes_.sums[split] += yes;
            yes_.squares[split] += yes * yes;
            no_.sums[split] += no;
            no_.squares[split] += no * no;
        }
    }
    purities_.resize(width);
    for (std::uint32_t split = 0; split < width; ++split) {
        purities_[split] = yes_.purity(split) + no_.purity(split);
    }
}

/// The purest split of each column that has one, purest first.
template <class Sum>
std::vector<std::uint32_t> FirstTree<Sum>::purest_splits(const Node<Sum>& node) {
    find_purities(node);
    std::vector<std::pair<double, std::uint32_t>> best(problem_.splits.size(),
                                                       {0.0, none});
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!node.splits.is_split[split]) continue;
        const double pure = -purities_[split];
        auto& of_column = best[node.splits.names[split].column];
        if (of_column.second == none || pure < of_column.first) {
            of_column = {pure, split};
        }
    }
    std::erase_if(best, [](const auto& entry) { return entry.second == none; });
    std::sort(best.begin(), best.end());
    std::vector<std::uint32_t> out;
    out.reserve(best.size());
    for (const auto& [pure, split] : best) out.push_back(split);
    return out;
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
    for (const std::uint32_t split : purest_splits(branching_.level_at(depth).node)) {
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
    branching_.level_at(depth).children.clear();
    return look_ahead(depth, limits, growth, &FirstTree::exact_below);
}

/// Offer the node as a leaf; returns whether nothing may grow below it.
template <class Sum>
bool FirstTree<Sum>::ends_as_leaf(std::size_t depth, Limits limits, Bracket& best) {
    const Node<Sum>& node = branching_.level_at(depth).node;
    const Weight loss = solver_.builder().reader().loss(node.rows.total.data(), 1);
    best.offer_leaf(problem_.scale.cost(loss, 1));
    return limits.depth == 0 || limits.leaves == 1 || depth >= most_greedy_levels ||
           leaf_is_optimal(loss, problem_.scale, solver_.switches().leaf_optimal);
}

/// The split with the best two levels, and what grows below it.
template <class Sum>
Bracket FirstTree<Sum>::look_ahead(std::size_t depth, Limits limits, Growth& growth,
                                   Grow grow_below) {
    Level<Sum>& level = branching_.level_at(depth);
    Bracket best;
    if (ends_as_leaf(depth, limits, best) || scan_.is_stopped(level.node)) return best;
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
        split = purest_split(level.node);
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
    Level<Sum>& level = branching_.level_at(depth);
    level.partition.split(level.node, split);
    if (!branching_.make_room(depth, level.child_bytes())) return;
    Level<Sum>& child = branching_.level_at(depth + 1);
    Limits below = limits.child();
    level.partition.build(solver_.builder(), level.node, true, child.node);
    const Bracket yes = (this->*grow_below)(depth + 1, below, growth);
    if (limits.leaves != Limits::unlimited) {
        below.leaves = limits.leaves - branching_.n_leaves(yes);
    }
    level.partition.build(solver_.builder(), level.node, false, child.node);
    const Bracket no = (this->*grow_below)(depth + 1, below, growth);
    branching_.join(level.node.splits.names[split], yes, no, best);
}

template class FirstTree<std::int32_t>;
template class FirstTree<std::int64_t>;

}  // namespace ostrya
