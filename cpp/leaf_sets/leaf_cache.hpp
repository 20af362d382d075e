/// The leaves met so far, and the splits that each may take.
///
/// A leaf is a set of clauses (column, cut, side). Sums of a child come from one pass
/// over its parent; its rows are listed only if it is split.
#pragma once

#include <cstdint>
#include <span>

#include "leaf_sets/column_runs.hpp"
#include "leaf_sets/leaf_store.hpp"
#include "leaf_sets/storage.hpp"

namespace ostrya::leaf_sets {

/// A split of a leaf, whatever tree it stands in.
struct LeafSplit {
    std::uint32_t leaf;
    std::uint32_t column;
    std::uint32_t cut;  // ranks up to this one answer yes
    std::uint32_t yes;
    std::uint32_t no;
};

/// Splits that are never made.
struct SplitRule {
    Weight fewest_rows = 1;
    Weight useless_gain = -1;  // L6: a child whose label wins back no more; -1: off

    bool allows(const Sums& child) const {
        return child.rows() >= fewest_rows &&
               child.worst() - child.least_loss() > useless_gain;
    }
};

class LeafCache {
public:
    LeafCache(const Table& rows, SplitRule rule, StopSign& sign, MemoryBudget& budget);

    static constexpr std::uint32_t root = 0;

    // What everything that is made from the leaves needs.
    const Table& table;
    MemoryBudget& memory;
    MemoryStop stop;

    const Leaf& at(std::uint32_t leaf) const { return leaves_[leaf]; }
    Sums sums(std::uint32_t leaf) const { return leaves_.sums(leaf); }
    const LeafSplit& split(std::uint32_t index) const { return splits_[index]; }
    std::size_t size() const { return leaves_.size(); }
    std::size_t n_expanded() const { return n_expanded_; }

    /// The groups of a leaf, in the table's order.
    std::span<const std::uint32_t> groups(std::uint32_t leaf);

    /// Call `visit` with each of them. They are not listed for it: most leaves are
    /// looked at once, and lists of all would take far more memory than the leaves.
    template <class Visit>
    void for_each_group(std::uint32_t leaf, const Visit& visit) {
        if (leaves_[leaf].is_listed) {
            for (const std::uint32_t group : groups(leaf)) visit(group);
            return;
        }
        const LeafSplit split = splits_[leaves_[leaf].made_by];
        const Ranks& ranks = table.splits[split.column].ranks;
        const bool is_yes = split.yes == leaf;
        for (const std::uint32_t group : groups(split.leaf)) {
            if ((ranks[group] <= split.cut) == is_yes) visit(group);
        }
    }

    /// How many groups `for_each_group` looks at.
    std::size_t n_visited(std::uint32_t leaf) const {
        const Leaf& asked = leaves_[leaf];
        return asked.is_listed ? asked.n_groups
                               : leaves_[splits_[asked.made_by].leaf].n_groups;
    }

    /// Indices of the splits of a leaf, first and one past the last. When the stop
    /// sign goes up meanwhile there are none, and nothing may be concluded from it: no
    /// other leaf is expanded after that.
    std::pair<std::uint32_t, std::uint32_t> splits(std::uint32_t leaf);

private:
    void expand(std::uint32_t leaf);
    bool scan_column(std::uint32_t leaf, std::uint32_t column);
    void list_groups(Leaf& leaf, std::span<const std::uint32_t> groups);

    SplitRule rule_;
    LeafStore leaves_;
    Vector<LeafSplit> splits_;
    Pieces lists_;                  // groups of the leaves that were split
    ColumnRuns runs_;               // scratch of scan_column
    Vector<std::uint32_t> listed_;  // scratch of groups
    std::size_t n_expanded_ = 0;
};

}  // namespace ostrya::leaf_sets
