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
    double weight = 0.0, squares = 0.0;
    for (std::uint32_t label = 0; label < leaves_.table().layout.n_labels; ++label) {
        const double part =
            static_cast<double>(leaves_.worst(leaf) - leaves_.sum(leaf, label));
        weight += part;
        squares += part * part;
    }
    return weight > 0 ? weight - squares / weight : 0.0;
}

/// The split after which impurity is least, and by how much it falls.
std::uint32_t Search::purest_split(std::uint32_t leaf, double& won) {
    const auto [first, last] = leaves_.splits(leaf);
    std::uint32_t best = none;
    won = 0.0;
    for (std::uint32_t index = first; index < last; ++index) {
        const LeafSplit& split = leaves_.split(index);
        const double falls = impurity(leaf) - impurity(split.yes) - impurity(split.no);
        if (best == none || falls > won) {
            best = index;
            won = falls;
        }
    }
    return best;
}

bool Search::grow(LeafSet& set) {
    std::uint32_t best = none;
    std::size_t place = 0;
    double most = -1.0;
    for (std::size_t open = 0; open < set.open.size(); ++open) {
        const Entry& entry = set.open[open];
        if (entry.depth >= options_.limits.depth ||
            criterion_.is_finished(entry.leaf)) {
            continue;
        }
        double won = 0.0;
        const std::uint32_t index = purest_split(entry.leaf, won);
        if (index != none && won > most) {
            best = index;
            most = won;
            place = open;
        }
    }
    if (best == none) return false;
    set = split(set, place, best);
    return true;
}

void Search::start_greedily() {
    LeafSet set;
    set.open.push_back({LeafCache::root, none, 0});
    const std::uint32_t most = std::min(most_leaves, options_.limits.leaves);
    while (set.size() < most && !stop_.is_up() && grow(set)) {
        set.cost = criterion_.cost(set);
        keep_if_best(set);
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
