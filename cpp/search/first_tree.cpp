/// A good first tree, quickly: best depth-two look-ahead at each node, then its
/// children.
#include <algorithm>

#include "bounds/leaf_optimal.hpp"
#include "search/solver.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

constexpr std::size_t most_greedy_levels = 64;

/// Cells that greedy pair scans may look at, some tenths of a second; beyond, splits
/// are chosen by purity.
constexpr std::int64_t greedy_cells = 400'000'000;

/// The same for the trees tried below other root splits, some milliseconds.
constexpr std::int64_t around_cells = 1'500'000;

/// A root this wide takes long to scan: it gets a greedy tree beforehand.
constexpr std::int64_t wide_root = 20'000'000;

/// A root with this few splits: three levels below are solved in milliseconds.
constexpr std::uint32_t narrow_root = 150;

}  // namespace

template <class Sum>
bool Solver<Sum>::pairs_take_long(const Node<Sum>& node) const {
    return static_cast<std::int64_t>(node.width) * node.width > wide_root;
}

/// A tree below both children of a root split, within a bounded effort.
template <class Sum>
void Solver<Sum>::grow_greedily(std::uint32_t split, Limits limits, Bracket& best) {
    cells_left_ = greedy_cells;
    descend(0, split, limits, &Solver::greedy, best);
    cells_left_ = no_cell_limit;
}

/// A better one, for a search that will be long.
template <class Sum>
void Solver<Sum>::grow_with_care(Limits limits, Bracket& best) {
    cells_left_ = around_cells;
    const std::uint32_t split = try_columns(0, limits, best);
    cells_left_ = no_cell_limit;
    // Without a limit there are no last levels: it would be the greedy tree once more.
    const bool has_last_levels = limits.reachable_depth() != Limits::unlimited;
    if (split != none && has_last_levels && level_at(0).node.width <= narrow_root) {
        descend(0, split, limits, &Solver::exact_below, best);
    }
}

/// How pure the children of a split are, by Gini: it tells progress where no single
/// split lowers the loss.
template <class Sum>
double Solver<Sum>::purity(const Node<Sum>& node, std::uint32_t split) const {
    double yes_sum = 0, no_sum = 0, yes_squares = 0, no_squares = 0;
    for (std::uint32_t label = 0; label < problem_.layout.n_labels; ++label) {
        const auto yes = static_cast<double>(node.yes[label * node.width + split]);
        const double no = static_cast<double>(node.total[label]) - yes;
        yes_sum += yes;
        no_sum += no;
        yes_squares += yes * yes;
        no_squares += no * no;
    }
    return (yes_sum > 0 ? yes_squares / yes_sum : 0) +
           (no_sum > 0 ? no_squares / no_sum : 0);
}

/// The purest split of each column that has one, purest first.
template <class Sum>
std::vector<std::uint32_t> Solver<Sum>::purest_splits(const LevelT& level) const {
    const Node<Sum>& node = level.node;
    std::vector<std::pair<double, std::uint32_t>> best(problem_.splits.size(),
                                                       {0.0, none});
    for (std::uint32_t split = 0; split < node.width; ++split) {
        if (!node.is_split[split]) continue;
        const double pure = -purity(node, split);
        auto& of_column = best[node.splits[split].column];
        if (of_column.second == none || pure < of_column.first) {
            of_column = {pure, split};
        }
    }
    std::erase_if(best, [](const auto& entry) { return entry.second == none; });
    std::sort(best.begin(), best.end());
    std::vector<std::uint32_t> out;
    for (const auto& [pure, split] : best) out.push_back(split);
    return out;
}

/// Try one split of every column with greedy trees below it: a split is worth what
/// grows below. Then do the same in the children of the best.
template <class Sum>
std::uint32_t Solver<Sum>::try_columns(std::size_t depth, Limits limits,
                                       Bracket& best) {
    if (limits.reachable_depth() <= 2) return none;
    std::uint32_t chosen = none;
    for (const std::uint32_t split : purest_splits(level_at(depth))) {
        if (cells_left_ <= 0 || stop_.is_up()) return chosen;
        const Cost before = best.upper;
        descend(depth, split, limits, &Solver::greedy, best);
        if (best.upper < before || chosen == none) chosen = split;
    }
    if (chosen != none) descend(depth, chosen, limits, &Solver::careful, best);
    return chosen;
}

template <class Sum>
Bracket Solver<Sum>::careful(std::size_t depth, Limits limits) {
    Bracket best = greedy(depth, limits);
    if (best.tree.index() != 0) try_columns(depth, limits, best);
    return best;
}

template <class Sum>
Bracket Solver<Sum>::greedy(std::size_t depth, Limits limits) {
    return look_ahead(depth, limits, &Solver::greedy);
}

/// A greedy tree whose last three levels are the best there are.
template <class Sum>
Bracket Solver<Sum>::exact_below(std::size_t depth, Limits limits) {
    if (limits.reachable_depth() <= 3) return solve(depth, limits, unreachable, {});
    // What was proved below another node of this level says nothing of this one.
    level_at(depth).children.clear();
    return look_ahead(depth, limits, &Solver::exact_below);
}

/// The split with the best two levels, and what grows below it.
template <class Sum>
Bracket Solver<Sum>::look_ahead(std::size_t depth, Limits limits, Grow grow) {
    LevelT& level = level_at(depth);
    Bracket best;
    best.upper = leaf_cost(level.node);
    const Weight loss = builder_.reader().loss(level.node.total.data(), 1);
    if (limits.depth == 0 || limits.leaves == 1 || depth >= most_greedy_levels ||
        leaf_is_optimal(loss, problem_.grid, switches_.leaf_optimal) || stop_.is_up()) {
        return best;
    }
    scan_singles(level, best);
    std::uint32_t split = none;
    if (limits.reachable_depth() >= 2 && cells_left_ > 0) {
        const Found found = scan_pairs(level, limits, best.upper);
        if (found.cost < best.upper) {
            best.lower_to(found.cost, depth_two_tree(level, found));
            split = found.split;
        }
    }
    if (split == none && (persists_ || cells_left_ <= 0)) {
        const std::vector<std::uint32_t> pure = purest_splits(level);
        if (!pure.empty()) split = pure.front();
    }
    if (split != none && limits.reachable_depth() > 1) {
        descend(depth, split, limits, grow, best);
    }
    return best;
}

/// Grow trees below both children of a split.
template <class Sum>
void Solver<Sum>::descend(std::size_t depth, std::uint32_t split, Limits limits,
                          Grow grow, Bracket& best) {
    LevelT& level = level_at(depth);
    level.parting.take(level.node, split);
    if (!make_room(depth)) return;
    LevelT& child = level_at(depth + 1);
    Limits below = limits.child();
    level.parting.build(builder_, level.node, true, child.node);
    const Bracket yes = (this->*grow)(depth + 1, below);
    if (limits.leaves != Limits::unlimited) {
        below.leaves = limits.leaves - count_leaves(pool_, yes.tree);
    }
    level.parting.build(builder_, level.node, false, child.node);
    const Bracket no = (this->*grow)(depth + 1, below);
    const Cost cost = yes.upper + no.upper;
    if (cost < best.upper) {
        best.lower_to(
            cost, Subtree::join(pool_, level.node.splits[split], yes.tree, no.tree));
    }
}

template bool Solver<std::int32_t>::pairs_take_long(const Node<std::int32_t>&) const;
template bool Solver<std::int64_t>::pairs_take_long(const Node<std::int64_t>&) const;
template void Solver<std::int32_t>::grow_greedily(std::uint32_t, Limits, Bracket&);
template void Solver<std::int64_t>::grow_greedily(std::uint32_t, Limits, Bracket&);
template void Solver<std::int32_t>::grow_with_care(Limits, Bracket&);
template void Solver<std::int64_t>::grow_with_care(Limits, Bracket&);
template std::vector<std::uint32_t> Solver<std::int32_t>::purest_splits(
    const LevelT&) const;
template std::vector<std::uint32_t> Solver<std::int64_t>::purest_splits(
    const LevelT&) const;

}  // namespace ostrya
