#include "search/trial_tree.hpp"

#include <algorithm>

namespace ostrya {
namespace {

/// How much longer than a scan of single splits it takes to build a node and look at
/// its splits once; and what a cell of a histogram takes beside a word of bits.
constexpr std::size_t looks_per_node = 4;
constexpr std::size_t words_per_cell = 8;

/// So many columns are tried, the purest.
constexpr std::size_t most_tried = 16;

/// How often all rows are looked at to try one split: greedy trees have some levels,
/// and so has the tree whose splits are tried.
constexpr std::uint64_t levels_of_trial = 8;

}  // namespace

/// What it takes to build a node and look at its splits, in words.
template <class Sum>
std::size_t TrialTree<Sum>::look_work(const Node<Sum>& node) {
    const std::size_t n_cells =
        node.histograms.size() * node.rows.n + node.histograms.n_cells;
    return looks_per_node * (node.work() + words_per_cell * n_cells);
}

template <class Sum>
std::uint64_t TrialTree<Sum>::trial_work(const Node<Sum>& root,
                                         const Problem& problem) {
    return levels_of_trial * look_work(root) *
           std::min(problem.splits.size(), most_tried);
}

template <class Sum>
void TrialTree<Sum>::grow_purest(Limits limits, Bracket& best) {
    const Bracket found = purest(0, limits);
    best.lower_to(found.upper, found.tree);
}

template <class Sum>
void TrialTree<Sum>::grow_by_trial(Limits limits, const std::function<void()>& publish,
                                   Bracket& best) {
    Bracket found;
    if (steps_.ends_as_leaf(0, limits, found)) return;
    const auto compare = [&] {
        if (found.upper >= best.upper) return;
        best.lower_to(found.upper, found.tree);
        publish();
    };
    const std::uint32_t chosen = try_splits(0, limits, compare, found);
    if (chosen != none) grow_below(0, chosen, limits, found);
    compare();
}

/// Try the purest splits of several columns with greedy trees of pure splits below
/// them, take the best, and do the same in both of its children.
template <class Sum>
Bracket TrialTree<Sum>::by_trial(std::size_t depth, Limits limits) {
    Bracket best;
    if (steps_.ends_as_leaf(depth, limits, best)) return best;
    const std::uint32_t chosen = try_splits(depth, limits, {}, best);
    if (chosen != none) grow_below(depth, chosen, limits, best);
    return best;
}

/// The split whose greedy tree is the best; none if there is no need to go on.
template <class Sum>
std::uint32_t TrialTree<Sum>::try_splits(std::size_t depth, Limits limits,
                                         const std::function<void()>& between,
                                         Bracket& best) {
    const Node<Sum>& node = steps_.level_at(depth).node;
    Vector<std::uint32_t> splits = purities_.purest_of_columns(node);
    if (splits.size() > most_tried) splits.resize(most_tried);
    std::uint32_t chosen = none;
    const auto greedily = [this](std::size_t at, Limits below) {
        return purest(at, below);
    };
    for (const std::uint32_t split : splits) {
        if (is_stopped(node)) return none;
        const Cost before = best.upper;
        steps_.descend(depth, split, limits, greedily, best);
        if (best.upper < before) chosen = split;
        if (between) between();
    }
    // Below a single split there is nothing to choose.
    return limits.reachable_depth() > 1 ? chosen : none;
}

template <class Sum>
void TrialTree<Sum>::grow_below(std::size_t depth, std::uint32_t split, Limits limits,
                                Bracket& best) {
    const auto again = [this](std::size_t at, Limits below) {
        return by_trial(at, below);
    };
    steps_.descend(depth, split, limits, again, best);
}

/// A greedy tree of purest splits.
template <class Sum>
Bracket TrialTree<Sum>::purest(std::size_t depth, Limits limits) {
    const Node<Sum>& node = steps_.level_at(depth).node;
    Bracket best;
    if (steps_.ends_as_leaf(depth, limits, best) || is_stopped(node)) return best;
    const std::uint32_t split = purities_.purest(node);
    if (split != none) {
        const auto again = [this](std::size_t at, Limits below) {
            return purest(at, below);
        };
        steps_.descend(depth, split, limits, again, best);
    }
    return best;
}

template class TrialTree<std::int32_t>;
template class TrialTree<std::int64_t>;

}  // namespace ostrya
