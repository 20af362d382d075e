#include "leaf_sets/additive.hpp"

#include <algorithm>
#include <numeric>

#include "tuning/tuning.hpp"

namespace ostrya::leaf_sets {

Additive::Additive(LeafCache& leaves, CostScale scale, const Options& options)
    : leaves_(leaves),
      scale_(scale),
      switches_(options.switches),
      // L9: a tree moved to another split may starve a leaf.
      may_compare_(switches_.similar_support.is_on && options.min_samples_leaf <= 1),
      lower_(leaves.memory) {}

SplitRule Additive::rule(CostScale scale, const Options& options) {
    SplitRule rule;
    rule.fewest_rows = options.min_samples_leaf;
    const Switch& accuracy = options.switches.leaf_accuracy;
    if (accuracy.is_on)
        rule.useless_gain = (scale.penalty + accuracy.slip) / scale.factor;
    return rule;
}

Cost Additive::unavoidable() {
    return scale_.factor * leaves_.sums(LeafCache::root).floor();
}

Cost Additive::cost(const LeafSet& set) {
    Cost total = 0;
    for (const LeafSet::Entry& entry : set.fixed) total += leaf_cost(entry.leaf);
    for (const LeafSet::Entry& entry : set.open) total += leaf_cost(entry.leaf);
    return total;
}

/// L1, L3 and, with one more penalty, L2.
Cost Additive::split_lower(std::uint32_t leaf) const {
    const Cost leaves = switches_.look_ahead.is_on ? 2 : 1;
    return scale_.cost(leaves_.sums(leaf).floor(), leaves) +
           (switches_.look_ahead.is_on ? switches_.look_ahead.slip : 0);
}

Cost Additive::lower_of(std::uint32_t leaf) {
    if (lower_.size() <= leaf) lower_.resize(leaves_.size(), -1);
    if (lower_[leaf] < 0) {
        lower_[leaf] = std::min(leaf_cost(leaf), split_lower(leaf));
        // L4: the best label loses at most this share of what labels decide.
        const __int128 labels = leaves_.table.layout.n_labels;
        const Sums sums = leaves_.sums(leaf);
        const Weight spread = sums.worst() - sums.floor();
        const Cost worth = scale_.penalty + switches_.node_support.slip;
        // A scaled spread is at most 2^60, and labels make it a 128-bit product.
        const bool is_light = switches_.node_support.is_on &&
                              scale_.factor * spread * (labels - 1) <= worth * labels;
        if (is_light) lower_[leaf] = leaf_cost(leaf);
    }
    return lower_[leaf];
}

Cost Additive::lower(const LeafSet& set) {
    Cost total = 0;
    for (const LeafSet::Entry& entry : set.fixed) total += leaf_cost(entry.leaf);
    for (const LeafSet::Entry& entry : set.open) total += lower_of(entry.leaf);
    return total;
}

bool Additive::is_finished(std::uint32_t leaf) {
    return lower_of(leaf) >= leaf_cost(leaf);
}

/// L5.
bool Additive::is_wasteful(const LeafSet&, std::uint32_t split) {
    const LeafSplit& made = leaves_.split(split);
    const Weight gain = leaves_.at(made.leaf).loss - leaves_.at(made.yes).loss -
                        leaves_.at(made.no).loss;
    return scale_.factor * gain <= scale_.penalty + switches_.incremental_accuracy.slip;
}

/// L2 again: a leaf costs at least what the best of its splits is known to cost.
void Additive::learn(std::uint32_t leaf) {
    if (!switches_.look_ahead.is_on) return;
    const auto [first, last] = leaves_.splits(leaf);
    split_costs_.clear();
    for (std::uint32_t index = first; index < last; ++index) {
        const LeafSplit split = leaves_.split(index);
        split_costs_.push_back(lower_of(split.yes) + lower_of(split.no));
    }
    if (may_compare_ && last - first <= FixedTuning::most_similar_compared)
        compare_splits(first, last);
    Cost least = leaf_cost(leaf);
    for (const Cost cost : split_costs_) least = std::min(least, cost);
    lower_[leaf] = std::max(lower_of(leaf), least);
}

/// L9: replacing one split by another moves only the rows on which they differ. Where
/// it is stopped, some stay as they are.
void Additive::compare_splits(std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> by_cost(last - first);
    std::iota(by_cost.begin(), by_cost.end(), 0);
    const std::size_t n =
        std::min<std::size_t>(FixedTuning::similar_references, by_cost.size());
    const auto end = by_cost.begin() + static_cast<std::ptrdiff_t>(n);
    std::partial_sort(by_cost.begin(), end, by_cost.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return split_costs_[a] != split_costs_[b]
                                     ? split_costs_[a] > split_costs_[b]
                                     : a < b;
                      });
    for (std::size_t reference = 0; reference < n; ++reference) {
        const std::uint32_t from = by_cost[reference];
        const LeafSplit x = leaves_.split(first + from);
        for (std::uint32_t to = 0; to < last - first; ++to) {
            if (split_costs_[to] >= split_costs_[from]) continue;
            if (leaves_.stop.is_up_before(4 * leaves_.groups(x.leaf).size())) return;
            const Weight moved = distance(x, leaves_.split(first + to));
            const Cost carried = split_costs_[from] - scale_.factor * moved +
                                 switches_.similar_support.slip;
            split_costs_[to] = std::max(split_costs_[to], carried);
        }
    }
}

/// What labels decide on the rows that the two splits send to different sides, or to
/// the same side: the children may be exchanged.
Weight Additive::distance(const LeafSplit& x, const LeafSplit& y) {
    const Table& table = leaves_.table;
    const Ranks& a = table.splits[x.column].ranks;
    const Ranks& b = table.splits[y.column].ranks;
    Weight apart = 0, alike = 0;
    for (const std::uint32_t group : leaves_.groups(x.leaf)) {
        const Sums sums = table.group(group);
        const Weight spread = sums.worst() - sums.floor();
        const bool differs = (a[group] <= x.cut) != (b[group] <= y.cut);
        (differs ? apart : alike) += spread;
    }
    return std::min(apart, alike);
}

}  // namespace ostrya::leaf_sets
