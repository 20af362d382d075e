#include "leaf_sets/leaf_store.hpp"

namespace ostrya::leaf_sets {

std::uint32_t LeafStore::find_or_add(const RowHash& hash, const Sums& sums,
                                     std::uint32_t made_by) {
    const std::size_t slot = slot_of(hash);
    if (by_rows_[slot] != none) return by_rows_[slot];
    const auto next = static_cast<std::uint32_t>(leaves_.size());
    by_rows_[slot] = next;
    Leaf& leaf = leaves_.emplace_back();
    leaf.hash = hash;
    leaf.made_by = made_by;
    leaf.loss = sums.least_loss();
    sums_.insert(sums_.end(), sums.first, sums.first + layout_.size());
    if (2 * leaves_.size() > by_rows_.size()) grow();
    return next;
}

/// Where the leaf with these rows stands, or would stand.
std::size_t LeafStore::slot_of(const RowHash& hash) const {
    std::size_t slot = hash.low & (by_rows_.size() - 1);
    while (by_rows_[slot] != none && !(leaves_[by_rows_[slot]].hash == hash)) {
        slot = (slot + 1) & (by_rows_.size() - 1);
    }
    return slot;
}

/// Leaves are missing if it is stopped; none is looked for after that.
void LeafStore::grow() {
    by_rows_.assign(2 * by_rows_.size(), none);
    for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        if (stop_.is_up_before(16)) return;
        by_rows_[slot_of(leaves_[leaf].hash)] = leaf;
    }
}

}  // namespace ostrya::leaf_sets
