/// The first trees: grown as CART grows them, always where impurity falls most. Every
/// tree on the way is weighed, so pruning is not needed.
#include <algorithm>

#include "leaf_sets/search.hpp"

namespace ostrya::leaf_sets {
namespace {

constexpr std::uint32_t most_leaves = 64;

}  // namespace

/// Gini impurity times weight; labels count by what they win back.
double Search::impurity(std::uint32_t leaf) const {
    const Sums sums = leaves_.sums(leaf);
    double weight = 0.0, squares = 0.0;
    for (std::uint32_t label = 0; label < sums.layout.n_labels; ++label) {
        const auto part = static_cast<double>(sums.worst() - sums[label]);
        weight += part;
        squares += part * part;
    }
    return weight > 0 ? weight - squares / weight : 0.0;
}

/// The split of a leaf after which impurity is least; none if it may not be split, or
/// the search is stopped.
Search::PurestSplit Search::purest_split(const Entry& entry) {
    PurestSplit best;
    if (entry.depth >= options_.limits.depth || criterion_.is_finished(entry.leaf)) {
        return best;
    }
    const auto [first, last] = leaves_.splits(entry.leaf);
    const double before = impurity(entry.leaf);
    for (std::uint32_t index = first; index < last; ++index) {
        if (stop_.is_up_before(32)) return {};
        const LeafSplit& split = leaves_.split(index);
        const double won = before - impurity(split.yes) - impurity(split.no);
        if (best.split == none || won > best.won) best = {index, won};
    }
    return best;
}

void Search::start_greedily() {
    LeafSet set;
    set.open.push_back({LeafCache::root, none, 0});
    std::vector<PurestSplit> purest{purest_split(set.open[0])};  // of each open leaf
    const std::uint32_t most = std::min(most_leaves, options_.limits.leaves);
    while (set.size() < most && !stop_.is_up()) {
        const auto best = std::max_element(
            purest.begin(), purest.end(),
            [](const PurestSplit& a, const PurestSplit& b) { return a.won < b.won; });
        if (best->split == none) return;
        const auto place = static_cast<std::size_t>(best - purest.begin());
        set = split(set, place, best->split);
        set.cost = criterion_.cost(set);
        keep_if_best(set);
        purest[place] = purest_split(set.open[place]);
        purest.push_back(purest_split(set.open.back()));
    }
}

/// Weigh a tree that is given by its splits, if the limits allow it.
void Search::try_tree(const std::vector<std::uint32_t>& splits) {
    if (splits.size() + 1 > options_.limits.leaves) return;
    LeafSet set;
    set.open.push_back({LeafCache::root, none, 0});
    for (const std::uint32_t index : splits) {
        const std::uint32_t leaf = leaves_.split(index).leaf;
        const auto place =
            std::find_if(set.open.begin(), set.open.end(),
                         [&](const Entry& entry) { return entry.leaf == leaf; });
        if (place == set.open.end() || place->depth >= options_.limits.depth) return;
        set = split(set, static_cast<std::size_t>(place - set.open.begin()), index);
    }
    set.cost = criterion_.cost(set);
    keep_if_best(set);
}

}  // namespace ostrya::leaf_sets
