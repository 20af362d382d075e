#include "leaf_sets/first_trees.hpp"

#include <algorithm>

#include "tuning/tuning.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Gini impurity times weight; labels count by what they win back.
double impurity(const Sums& sums) {
    double weight = 0.0, squares = 0.0;
    for (std::uint32_t label = 0; label < sums.layout.n_labels; ++label) {
        const auto part = static_cast<double>(sums.worst() - sums[label]);
        weight += part;
        squares += part * part;
    }
    return weight > 0 ? weight - squares / weight : 0.0;
}

}  // namespace

/// The split of a leaf after which impurity is least; none if it may not be split, or
/// the search is stopped.
FirstTrees::PurestSplit FirstTrees::purest_split(const LeafSet::Entry& entry) {
    PurestSplit best;
    if (entry.depth >= limits_.depth || criterion_.is_finished(entry.leaf)) {
        return best;
    }
    const auto [first, last] = leaves_.splits(entry.leaf);
    const double before = impurity(leaves_.sums(entry.leaf));
    for (std::uint32_t index = first; index < last; ++index) {
        if (stop_.is_up_before(32)) return {};
        const LeafSplit& split = leaves_.split(index);
        const double won = before - impurity(leaves_.sums(split.yes)) -
                           impurity(leaves_.sums(split.no));
        if (best.split == none || won > best.won) best = {index, won};
    }
    return best;
}

void FirstTrees::grow_greedily() {
    LeafSet set = LeafSet::lone_leaf();
    std::vector<PurestSplit> purest{purest_split(set.open[0])};  // of each open leaf
    const std::uint32_t most = std::min(FixedTuning::most_first_leaves, limits_.leaves);
    while (set.size() < most && !stop_.is_up()) {
        const auto best = std::max_element(
            purest.begin(), purest.end(),
            [](const PurestSplit& a, const PurestSplit& b) { return a.won < b.won; });
        if (best->split == none) return;
        const auto place = static_cast<std::size_t>(best - purest.begin());
        set = set.split_at(place, best->split, leaves_);
        weigh(set);
        purest[place] = purest_split(set.open[place]);
        purest.push_back(purest_split(set.open.back()));
    }
}

void FirstTrees::try_tree(const std::vector<std::uint32_t>& splits) {
    if (splits.size() + 1 > limits_.leaves) return;
    LeafSet set = LeafSet::lone_leaf();
    for (const std::uint32_t index : splits) {
        const std::uint32_t leaf = leaves_.split(index).leaf;
        const auto place = std::find_if(
            set.open.begin(), set.open.end(),
            [&](const LeafSet::Entry& entry) { return entry.leaf == leaf; });
        if (place == set.open.end() || place->depth >= limits_.depth) return;
        const auto open = static_cast<std::size_t>(place - set.open.begin());
        set = set.split_at(open, index, leaves_);
    }
    weigh(set);
}

void FirstTrees::weigh(LeafSet& set) {
    set.cost = criterion_.cost(set);
    incumbent_.keep_if_best(set);
}

}  // namespace ostrya::leaf_sets
