#include "leaf_sets/leaf_cache.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace ostrya::leaf_sets {

LeafCache::LeafCache(const Table& rows, SplitRule rule, StopSign& sign,
                     MemoryBudget& budget)
    : table(rows),
      memory(budget),
      stop(sign, budget),
      rule_(rule),
      leaves_(table.layout, stop, memory),
      splits_(memory),
      lists_(memory),
      runs_(table, stop, memory),
      listed_(memory) {
    RowHash all;
    for (const RowHash& key : table.keys) all += key;
    leaves_.find_or_add(all, {table.totals.data(), table.layout}, none);
    listed_.resize(table.n_groups);
    std::iota(listed_.begin(), listed_.end(), 0);
    list_groups(leaves_[root], listed_);
}

void LeafCache::list_groups(Leaf& leaf, std::span<const std::uint32_t> groups) {
    std::uint32_t* list = lists_.get(groups.size());
    std::copy(groups.begin(), groups.end(), list);
    leaf.groups = list;
    leaf.n_groups = static_cast<std::uint32_t>(groups.size());
    leaf.is_listed = true;
}

std::span<const std::uint32_t> LeafCache::groups(std::uint32_t leaf) {
    if (!leaves_[leaf].is_listed) {
        // Those of its parent are: they were listed before it was split.
        assert(leaves_[splits_[leaves_[leaf].made_by].leaf].is_listed);
        listed_.clear();
        for_each_group(leaf, [&](std::uint32_t group) { listed_.push_back(group); });
        list_groups(leaves_[leaf], listed_);
    }
    return {leaves_[leaf].groups, leaves_[leaf].n_groups};
}

std::pair<std::uint32_t, std::uint32_t> LeafCache::splits(std::uint32_t leaf) {
    if (!leaves_[leaf].is_expanded) expand(leaf);
    const Leaf& asked = leaves_[leaf];
    return {asked.first_split, asked.first_split + asked.n_splits};
}

void LeafCache::expand(std::uint32_t leaf) {
    groups(leaf);
    const auto first = static_cast<std::uint32_t>(splits_.size());
    for (std::uint32_t column = 0; column < table.splits.size(); ++column) {
        if (stop.is_up() || !scan_column(leaf, column)) {
            // Half a list of splits would be taken for all of them.
            splits_.resize(first);
            return;
        }
    }
    Leaf& expanded = leaves_[leaf];
    expanded.first_split = first;
    expanded.n_splits = static_cast<std::uint32_t>(splits_.size()) - first;
    expanded.is_expanded = true;
    ++n_expanded_;
}

/// Add the splits of a leaf by one column; false if stopped half-way.
bool LeafCache::scan_column(std::uint32_t leaf, std::uint32_t column) {
    if (!runs_.add_up(groups(leaf), table.splits[column])) return false;
    const std::size_t width = table.layout.size();
    const RowHash all = leaves_[leaf].hash;
    const Weight* sums = leaves_.sums(leaf).first;
    std::vector<Weight> yes(width, 0), no(sums, sums + width);
    const Sums of_yes{yes.data(), table.layout}, of_no{no.data(), table.layout};
    RowHash yes_hash;
    for (std::size_t run = 0; run + 1 < runs_.size(); ++run) {
        if (stop.is_up_before(8 * width)) return false;
        yes_hash += runs_[run].hash;
        const Weight* moved = runs_.sums(run);
        for (std::size_t slot = 0; slot < width; ++slot) {
            yes[slot] += moved[slot];
            no[slot] -= moved[slot];
        }
        if (!rule_.allows(of_yes) || !rule_.allows(of_no)) continue;
        const auto index = static_cast<std::uint32_t>(splits_.size());
        const std::uint32_t yes_leaf = leaves_.find_or_add(yes_hash, of_yes, index);
        const std::uint32_t no_leaf = leaves_.find_or_add(all - yes_hash, of_no, index);
        // Another column, or the same one turned round, may part the rows alike.
        std::uint32_t& is_yes_of = leaves_[yes_leaf].yes_of;
        if (is_yes_of == leaf || leaves_[no_leaf].yes_of == leaf) continue;
        is_yes_of = leaf;
        splits_.push_back({leaf, column, runs_[run].rank, yes_leaf, no_leaf});
    }
    return true;
}

}  // namespace ostrya::leaf_sets
