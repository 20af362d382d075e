#include "leaf_sets/leaf_cache.hpp"

#include <algorithm>
#include <numeric>

namespace ostrya::leaf_sets {

LeafCache::LeafCache(const Table& table, SplitRule rule, StopSign& stop,
                     MemoryBudget& memory)
    : table_(table),
      rule_(rule),
      stop_(stop),
      memory_(memory),
      leaves_(memory),
      sums_(memory),
      splits_(memory),
      by_rows_(1024, none, memory),
      lists_(memory),
      yes_of_(memory),
      runs_(memory),
      run_sums_(memory),
      by_rank_(memory),
      starts_(memory),
      listed_(memory) {
    RowHash all;
    for (const RowHash& key : table.keys) all += key;
    find_or_add(all, table.totals, none);
    listed_.resize(table.n_groups);
    std::iota(listed_.begin(), listed_.end(), 0);
    list_groups(leaves_[root], listed_);
}

Weight LeafCache::least_loss(std::span<const Weight> sums) const {
    return *std::min_element(sums.begin(), sums.begin() + table_.layout.n_labels);
}

std::uint32_t LeafCache::find_or_add(const RowHash& hash, std::span<const Weight> sums,
                                     std::uint32_t made_by) {
    const std::size_t slot = slot_of(hash);
    if (by_rows_[slot] != none) return by_rows_[slot];
    const auto next = static_cast<std::uint32_t>(leaves_.size());
    by_rows_[slot] = next;
    Leaf& leaf = leaves_.emplace_back();
    leaf.hash = hash;
    leaf.made_by = made_by;
    leaf.loss = least_loss(sums);
    sums_.insert(sums_.end(), sums.begin(), sums.end());
    yes_of_.push_back(none);
    if (2 * leaves_.size() > by_rows_.size()) grow();
    return next;
}

/// Where the leaf with these rows stands, or would stand.
std::size_t LeafCache::slot_of(const RowHash& hash) const {
    std::size_t slot = hash.low & (by_rows_.size() - 1);
    while (by_rows_[slot] != none && !(leaves_[by_rows_[slot]].hash == hash)) {
        slot = (slot + 1) & (by_rows_.size() - 1);
    }
    return slot;
}

/// Leaves are missing if it is stopped; none is looked for after that.
void LeafCache::grow() {
    by_rows_.assign(2 * by_rows_.size(), none);
    for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        if (is_stopped_before(16)) return;
        by_rows_[slot_of(leaves_[leaf].hash)] = leaf;
    }
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
        const LeafSplit split = splits_[leaves_[leaf].made_by];
        const Ranks& ranks = table_.splits[split.column].ranks;
        const bool is_yes = split.yes == leaf;
        const std::span<const std::uint32_t> all = groups(split.leaf);
        listed_.clear();
        for (const std::uint32_t group : all) {
            if ((ranks[group] <= split.cut) == is_yes) listed_.push_back(group);
        }
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
    for (std::uint32_t column = 0; column < table_.splits.size(); ++column) {
        if (stop_.is_up() || !scan_column(leaf, column)) {
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

/// Groups of equal rank stay in their order.
void LeafCache::sort_by_rank(std::span<const std::uint32_t> groups,
                             const SplitColumn& column) {
    by_rank_.resize(groups.size());
    if (column.n_ranks() <= groups.size()) {
        starts_.assign(column.n_ranks(), 0);
        for (const std::uint32_t group : groups) ++starts_[column.ranks[group]];
        std::exclusive_scan(starts_.begin(), starts_.end(), starts_.begin(), 0u);
        for (const std::uint32_t group : groups) {
            by_rank_[starts_[column.ranks[group]]++] = group;
        }
        return;
    }
    std::copy(groups.begin(), groups.end(), by_rank_.begin());
    std::stable_sort(by_rank_.begin(), by_rank_.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return column.ranks[a] < column.ranks[b];
                     });
}

/// Add up the groups of equal rank; the runs come out in order of rank. False if
/// stopped.
bool LeafCache::sum_runs(std::span<const std::uint32_t> groups,
                         const SplitColumn& column) {
    if (is_stopped_before(4 * groups.size())) return false;
    sort_by_rank(groups, column);
    const std::size_t width = table_.layout.size();
    runs_.clear();
    run_sums_.clear();
    for (const std::uint32_t group : by_rank_) {
        if (is_stopped_before(width)) return false;
        const std::uint32_t rank = column.ranks[group];
        if (runs_.empty() || runs_.back().rank != rank) {
            runs_.push_back({rank, {}});
            run_sums_.resize(run_sums_.size() + width, 0);
        }
        runs_.back().hash += table_.keys[group];
        Weight* sums = run_sums_.data() + run_sums_.size() - width;
        const Weight* of = table_.group(group);
        for (std::size_t slot = 0; slot < width; ++slot) sums[slot] += of[slot];
    }
    return true;
}

bool LeafCache::is_allowed(std::span<const Weight> sums) const {
    return sums[table_.layout.rows()] >= rule_.fewest_rows &&
           sums[table_.layout.worst()] - least_loss(sums) > rule_.useless_gain;
}

/// Add the splits of a leaf by one column; false if stopped half-way.
bool LeafCache::scan_column(std::uint32_t leaf, std::uint32_t column) {
    if (!sum_runs(groups(leaf), table_.splits[column])) return false;
    const std::size_t width = table_.layout.size();
    const RowHash all = leaves_[leaf].hash;
    const Weight* sums = sums_.data() + leaf * width;
    std::vector<Weight> yes(width, 0), no(sums, sums + width);
    RowHash yes_hash;
    for (std::size_t run = 0; run + 1 < runs_.size(); ++run) {
        if (is_stopped_before(8 * width)) return false;
        yes_hash += runs_[run].hash;
        for (std::size_t slot = 0; slot < width; ++slot) {
            yes[slot] += run_sums_[run * width + slot];
            no[slot] -= run_sums_[run * width + slot];
        }
        if (!is_allowed(yes) || !is_allowed(no)) continue;
        const auto index = static_cast<std::uint32_t>(splits_.size());
        const std::uint32_t yes_leaf = find_or_add(yes_hash, yes, index);
        const std::uint32_t no_leaf = find_or_add(all - yes_hash, no, index);
        // Another column, or the same one turned round, may part the rows alike.
        if (yes_of_[yes_leaf] == leaf || yes_of_[no_leaf] == leaf) continue;
        yes_of_[yes_leaf] = leaf;
        splits_.push_back({leaf, column, runs_[run].rank, yes_leaf, no_leaf});
    }
    return true;
}

}  // namespace ostrya::leaf_sets
