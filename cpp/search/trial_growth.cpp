/// How a tree is grown by trial.
#include <algorithm>

#include "search/first_tree.hpp"

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
std::size_t FirstTree<Sum>::look_work(const Node<Sum>& node) {
    const std::size_t n_cells =
        node.histograms.size() * node.rows.n + node.histograms.n_cells;
    return looks_per_node * (node.work() + words_per_cell * n_cells);
}

template <class Sum>
std::uint64_t FirstTree<Sum>::trial_work(const Node<Sum>& root,
                                         const Problem& problem) {
    return levels_of_trial * look_work(root) *
           std::min(problem.splits.size(), most_tried);
}

template <class Sum>
void FirstTree<Sum>::grow_by_trial(Limits limits, Bracket& best) {
    Growth without_pairs{{0}, false};
    const Bracket found = by_trial(0, limits, without_pairs);
    best.lower_to(found.upper, found.tree);
}

template <class Sum>
void FirstTree<Sum>::grow_purest(Limits limits, Bracket& best) {
    Growth without_pairs{{0}, false};
    const Bracket found = purest(0, limits, without_pairs);
    best.lower_to(found.upper, found.tree);
}

template <class Sum>
bool FirstTree<Sum>::is_stopped(const Node<Sum>& node) {
    return stop_.is_up_before(look_work(node));
}

/// Try the purest splits of several columns with greedy trees of pure splits below
/// them, take the best, and do the same in both of its children. LicketySPLIT: Babbar
/// et al. 2025 (ICML, "Near-Optimal Decision Trees in a SPLIT Second"), which tries
/// every yes/no question.
template <class Sum>
Bracket FirstTree<Sum>::by_trial(std::size_t depth, Limits limits, Growth& growth) {
    const Node<Sum>& node = branching_.level_at(depth).node;
    Bracket best;
    if (ends_as_leaf(depth, limits, best)) return best;
    std::vector<std::uint32_t> splits = purest_splits(node);
    if (splits.size() > most_tried) splits.resize(most_tried);
    std::uint32_t chosen = none;
    for (const std::uint32_t split : splits) {
        if (is_stopped(node)) return best;
        const Cost before = best.upper;
        descend(depth, split, limits, growth, &FirstTree::purest, best);
        if (best.upper < before) chosen = split;
    }
    // Below a single split there is nothing to choose.
    if (chosen != none && limits.reachable_depth() > 1) {
        descend(depth, chosen, limits, growth, &FirstTree::by_trial, best);
    }
    return best;
}

/// A greedy tree of purest splits.
template <class Sum>
Bracket FirstTree<Sum>::purest(std::size_t depth, Limits limits, Growth& growth) {
    const Node<Sum>& node = branching_.level_at(depth).node;
    Bracket best;
    if (ends_as_leaf(depth, limits, best) || is_stopped(node)) return best;
    find_purities(node);
    std::uint32_t split = none;
    for (std::uint32_t other = 0; other < node.splits.width; ++other) {
        if (!node.splits.is_split[other]) continue;
        if (split == none || purities_[other] > purities_[split]) split = other;
    }
    if (split != none) {
        descend(depth, split, limits, growth, &FirstTree::purest, best);
    }
    return best;
}

template class FirstTree<std::int32_t>;
template class FirstTree<std::int64_t>;

}  // namespace ostrya
