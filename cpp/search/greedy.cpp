/// A good first tree, quickly: best depth-two look-ahead at each node, then its
/// children.
#include <algorithm>

#include "bounds/leaf_optimal.hpp"
#include "search/solver.hpp"

namespace ostrya {
namespace {

constexpr std::size_t most_greedy_levels = 64;

/// Cells that greedy pair scans may look at, some tenths of a second; beyond, splits
/// are chosen by purity.
constexpr std::int64_t greedy_cells = 400'000'000;

/// A root this wide takes long to scan: it gets a greedy tree beforehand.
constexpr std::int64_t wide_root = 20'000'000;

}  // namespace

template <class Sum>
bool Solver<Sum>::pairs_take_long(const Node<Sum>& node) const {
    return static_cast<std::int64_t>(node.width) * node.width > wide_root;
}

/// A tree below both children of a root split, within a bounded effort.
template <class Sum>
void Solver<Sum>::grow_greedily(std::uint32_t split, Limits limits, Bracket& best) {
    cells_left_ = greedy_cells;
    descend(0, split, limits, best);
    cells_left_ = no_cell_limit;
}

/// The split with the least Gini impurity: it makes progress where no single split
/// lowers the loss.
template <class Sum>
std::uint32_t Solver<Sum>::purest_split(const LevelT& level) const {
    const Node<Sum>& node = level.node;
    const std::uint32_t n_labels = problem_.layout.n_labels;
    std::uint32_t best = none;
    double best_purity = -1;
    for (std::uint32_t split = 0; split < node.width; ++split) {
        if (!node.is_split[split]) continue;
        double yes_sum = 0, no_sum = 0, yes_squares = 0, no_squares = 0;
        for (std::uint32_t label = 0; label < n_labels; ++label) {
            const auto yes = static_cast<double>(node.yes[label * node.width + split]);
            const double no = static_cast<double>(node.total[label]) - yes;
            yes_sum += yes;
            no_sum += no;
            yes_squares += yes * yes;
            no_squares += no * no;
        }
        const double purity = (yes_sum > 0 ? yes_squares / yes_sum : 0) +
                              (no_sum > 0 ? no_squares / no_sum : 0);
        if (purity > best_purity) {
            best_purity = purity;
            best = split;
        }
    }
    return best;
}

template <class Sum>
Bracket Solver<Sum>::greedy(std::size_t depth, Limits limits) {
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
    if (cells_left_ <= 0) split = purest_split(level);
    if (split != none && limits.reachable_depth() > 1) {
        descend(depth, split, limits, best);
    }
    return best;
}

/// Grow greedy trees below both children of a split.
template <class Sum>
void Solver<Sum>::descend(std::size_t depth, std::uint32_t split, Limits limits,
                          Bracket& best) {
    if (!has_room_below(depth)) return;
    LevelT& level = level_at(depth);
    PairCounter<Sum>::mask_of(level.node, split, level.mask);
    Limits below = limits.child();
    level.yes_hash = yes_hash(level);
    build_child(depth, split, true);
    const Bracket yes = greedy(depth + 1, below);
    if (limits.leaves != Limits::unlimited) {
        below.leaves = limits.leaves - count_leaves(yes.tree);
    }
    build_child(depth, split, false);
    const Bracket no = greedy(depth + 1, below);
    const Cost cost = yes.upper + no.upper;
    if (cost < best.upper) {
        best.lower_to(
            cost, Subtree::join(pool_, level.node.splits[split], yes.tree, no.tree));
    }
}

template Bracket Solver<std::int32_t>::greedy(std::size_t, Limits);
template Bracket Solver<std::int64_t>::greedy(std::size_t, Limits);
template bool Solver<std::int32_t>::pairs_take_long(const Node<std::int32_t>&) const;
template bool Solver<std::int64_t>::pairs_take_long(const Node<std::int64_t>&) const;
template void Solver<std::int32_t>::grow_greedily(std::uint32_t, Limits, Bracket&);
template void Solver<std::int64_t>::grow_greedily(std::uint32_t, Limits, Bracket&);
template std::uint32_t Solver<std::int32_t>::purest_split(const LevelT&) const;
template std::uint32_t Solver<std::int64_t>::purest_split(const LevelT&) const;
template void Solver<std::int32_t>::descend(std::size_t, std::uint32_t, Limits,
                                            Bracket&);
template void Solver<std::int64_t>::descend(std::size_t, std::uint32_t, Limits,
                                            Bracket&);

}  // namespace ostrya
