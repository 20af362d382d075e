/// Every leaf met so far, once: its sums, and the splits it may take.
///
/// A leaf is a set of clauses (column, cut, side). Two clause sets that hold the same
/// training rows make the same leaf: whatever follows is the same for both. Sums of a
/// child come from one pass over its parent; its rows are listed only if it is split.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "leaf_sets/storage.hpp"
#include "leaf_sets/table.hpp"
#include "watch/stop.hpp"

namespace ostrya::leaf_sets {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

struct Leaf {
    RowHash hash;
    std::uint32_t made_by = none;  // the first split that made it; none for the root
    Weight loss = 0;               // of its best label
    const std::uint32_t* groups = nullptr;  // listed when first asked for
    std::uint32_t n_groups = 0;
    bool is_listed = false;
    bool is_expanded = false;
    std::uint32_t first_split = 0;
    std::uint32_t n_splits = 0;
};

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
};

class LeafCache {
public:
    LeafCache(const Table& table, SplitRule rule, StopSign& stop, MemoryBudget& memory);

    static constexpr std::uint32_t root = 0;

    const Table& table() const { return table_; }
    const Leaf& at(std::uint32_t leaf) const { return leaves_[leaf]; }
    const LeafSplit& split(std::uint32_t index) const { return splits_[index]; }
    std::size_t size() const { return leaves_.size(); }
    std::size_t n_expanded() const { return n_expanded_; }
    MemoryBudget& memory() const { return memory_; }

    Weight sum(std::uint32_t leaf, std::uint32_t slot) const {
        return sums_[leaf * table_.layout.size() + slot];
    }
    Weight floor(std::uint32_t leaf) const { return sum(leaf, table_.layout.floor()); }
    Weight worst(std::uint32_t leaf) const { return sum(leaf, table_.layout.worst()); }
    Weight rows(std::uint32_t leaf) const { return sum(leaf, table_.layout.rows()); }

    /// Whether to come back at once, asked before so much work, in words looked at.
    bool is_stopped_before(std::size_t work) {
        if (memory_.is_exceeded()) stop_.memory_is_out();
        return stop_.is_up_before(work);
    }
    /// The same before work of unknown length.
    bool is_stopped() {
        if (memory_.is_exceeded()) stop_.memory_is_out();
        return stop_.is_up();
    }
    /// Whether it was so when that was last asked.
    bool has_stopped() const { return stop_.has_stopped(); }

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
        const Ranks& ranks = table_.splits[split.column].ranks;
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
    struct Run {
        std::uint32_t rank = 0;
        RowHash hash;
    };

    void expand(std::uint32_t leaf);
    bool scan_column(std::uint32_t leaf, std::uint32_t column);
    void sort_by_rank(std::span<const std::uint32_t> groups, const SplitColumn& column);
    bool sum_runs(std::span<const std::uint32_t> groups, const SplitColumn& column);
    void list_groups(Leaf& leaf, std::span<const std::uint32_t> groups);
    std::size_t slot_of(const RowHash& hash) const;
    void grow();
    std::uint32_t find_or_add(const RowHash& hash, std::span<const Weight> sums,
                              std::uint32_t made_by);
    bool is_allowed(std::span<const Weight> sums) const;
    Weight least_loss(std::span<const Weight> sums) const;

    const Table& table_;
    SplitRule rule_;
    StopSign& stop_;
    MemoryBudget& memory_;
    std::deque<Leaf, Counted<Leaf>> leaves_;
    Vector<Weight> sums_;  // of each leaf
    Vector<LeafSplit> splits_;
    Vector<std::uint32_t> by_rows_;  // open addressing; none: free
    Pieces lists_;                   // groups of the leaves that were split
    Vector<std::uint32_t> yes_of_;   // the leaf of which it was last made the yes side
    Vector<Run> runs_;               // scratch of scan_column
    Vector<Weight> run_sums_;
    Vector<std::uint32_t> by_rank_;
    Vector<std::uint32_t> starts_;  // scratch of sort_by_rank
    Vector<std::uint32_t> listed_;  // scratch of groups
    std::size_t n_expanded_ = 0;
};

}  // namespace ostrya::leaf_sets
