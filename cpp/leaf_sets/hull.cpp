#include "leaf_sets/hull.hpp"

#include <algorithm>
#include <cassert>

namespace ostrya::leaf_sets {

Hull::Hull(LeafCache& leaves, CostScale scale, const Options& options)
    : leaves_(leaves),
      scale_(scale),
      switches_(options.switches),
      all_(vector_of(LeafCache::root)),
      is_open_(leaves.table.n_groups, 0) {
    // Every product of two sums of weights fits a `Pairs` for this reason.
    assert(all_.negatives + all_.positives <= most_weight);
}

SplitRule Hull::rule(const Options& options) {
    SplitRule rule;
    rule.fewest_rows = options.min_samples_leaf;
    return rule;
}

void Hull::sort_leaves(const std::vector<LeafSet::Entry>& entries) {
    vectors_.clear();
    for (const LeafSet::Entry& entry : entries) {
        const LeafVector vector = vector_of(entry.leaf);
        // A leaf without weight has no slope, and no place on the hull.
        if (vector.negatives + vector.positives > 0) vectors_.push_back(vector);
    }
    std::sort(vectors_.begin(), vectors_.end(), is_steeper);
}

Cost Hull::cost(const LeafSet& set) {
    sort_leaves(set.fixed);
    for (const LeafSet::Entry& entry : set.open) {
        const LeafVector vector = vector_of(entry.leaf);
        if (vector.negatives + vector.positives > 0) vectors_.push_back(vector);
    }
    std::sort(vectors_.begin(), vectors_.end(), is_steeper);
    return scale_.cost(loss(vectors_), set.size());
}

/// Loss with the rows of open leaves taken apart: into groups of equal rows (L3), or
/// into all positives and all negatives.
Weight Hull::loss_apart(const LeafSet& set) {
    sort_leaves(set.fixed);
    merged_.clear();
    if (!switches_.equivalent_points.is_on) {
        LeafVector open;
        for (const LeafSet::Entry& entry : set.open) {
            const LeafVector vector = vector_of(entry.leaf);
            open.negatives += vector.negatives;
            open.positives += vector.positives;
        }
        merged_.push_back({0, open.positives});
        merged_.insert(merged_.end(), vectors_.begin(), vectors_.end());
        merged_.push_back({open.negatives, 0});
        return loss(merged_);
    }
    for (const LeafSet::Entry& entry : set.open) {
        for (const std::uint32_t group : leaves_.groups(entry.leaf))
            is_open_[group] = 1;
    }
    // Groups stand in order of slope already.
    auto next = vectors_.begin();
    for (std::uint32_t group = 0; group < is_open_.size(); ++group) {
        if (!is_open_[group]) continue;
        is_open_[group] = 0;
        const LeafVector vector = group_vector(group);
        if (vector.negatives + vector.positives == 0) continue;
        while (next != vectors_.end() && is_steeper(*next, vector)) {
            merged_.push_back(*next++);
        }
        merged_.push_back(vector);
    }
    merged_.insert(merged_.end(), next, vectors_.end());
    return loss(merged_);
}

Cost Hull::unavoidable() {
    return scale_.factor * loss_apart(LeafSet::lone_leaf());
}

/// L1 and L3; with L2 one leaf more, since at least one open leaf is split.
Cost Hull::lower(const LeafSet& set) {
    const bool is_split = switches_.look_ahead.is_on && !set.open.empty();
    const Cost slip = is_split ? switches_.look_ahead.slip : 0;
    return scale_.cost(loss_apart(set), set.size() + (is_split ? 1 : 0)) + slip;
}

/// A leaf of one class, or of no weight, gives the hull nothing to gain.
bool Hull::is_finished(std::uint32_t leaf) {
    const LeafVector vector = vector_of(leaf);
    return vector.negatives == 0 || vector.positives == 0;
}

/// L5: leaves of equal slope make the hull of their parent.
bool Hull::is_wasteful(const LeafSet&, std::uint32_t split) {
    const LeafSplit& made = leaves_.split(split);
    const LeafVector yes = vector_of(made.yes), no = vector_of(made.no);
    return Pairs{yes.positives} * no.negatives == Pairs{no.positives} * yes.negatives;
}

}  // namespace ostrya::leaf_sets
