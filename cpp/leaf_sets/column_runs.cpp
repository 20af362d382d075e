#include "leaf_sets/column_runs.hpp"

#include <algorithm>
#include <numeric>

namespace ostrya::leaf_sets {

bool ColumnRuns::add_up(std::span<const std::uint32_t> groups,
                        const SplitColumn& column) {
    if (stop_.is_up_before(4 * groups.size())) return false;
    sort_by_rank(groups, column);
    const std::size_t width = table_.layout.size();
    runs_.clear();
    sums_.clear();
    for (const std::uint32_t group : by_rank_) {
        if (stop_.is_up_before(width)) return false;
        const std::uint32_t rank = column.ranks[group];
        if (runs_.empty() || runs_.back().rank != rank) {
            runs_.push_back({rank, {}});
            sums_.resize(sums_.size() + width, 0);
        }
        runs_.back().hash += table_.keys[group];
        Weight* sums = sums_.data() + sums_.size() - width;
        const Weight* of = table_.group(group).first;
        for (std::size_t slot = 0; slot < width; ++slot) sums[slot] += of[slot];
    }
    return true;
}

/// Groups of equal rank stay in their order.
void ColumnRuns::sort_by_rank(std::span<const std::uint32_t> groups,
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

}  // namespace ostrya::leaf_sets
