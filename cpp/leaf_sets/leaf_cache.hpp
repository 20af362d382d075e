/// Every leaf met so far, once: its sums, and the splits it may take.
///
/// A leaf is a set of clauses (column, cut, side). Two clause sets that hold the same
/// training rows make the same leaf: whatever follows is the same for both. Sums of a
/// child come from one pass over its parent; its rows are listed only if it is split.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

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

    bool is_stopped() { return stop_.is_up(); }

    /// The groups of a leaf, in the table's order.
    std::span<const std::uint32_t> groups(std::uint32_t leaf);

    /// Indices of the splits of a leaf, first and one past the last. When the stop
    /// sign goes up meanwhile there are none, and nothing may be concluded from it.
    std::pair<std::uint32_t, std::uint32_t> splits(std::uint32_t leaf);

private:
    struct Run {
        std::uint32_t rank = 0;
        RowHash hash;
    };

    void expand(std::uint32_t leaf);
    void scan_column(std::uint32_t leaf, std::uint32_t column);
    void sum_runs(std::span<const std::uint32_t> groups, const SplitColumn& column);
    void list_groups(Leaf& leaf, std::span<const std::uint32_t> groups);
    std::size_t slot_of(const RowHash& hash) const;
    void grow();
    std::uint32_t find_or_add(const RowHash& hash, std::span<const Weight> sums,
                              std::uint32_t made_by);
    bool is_allowed(std::span<const Weight> sums) const;
    Weight least_loss(std::span<const Weight> sums) const;

    struct Hasher {
        std::size_t operator()(const RowHash& hash) const { return hash.low; }
    };

    const Table& table_;
    SplitRule rule_;
    StopSign& stop_;
    MemoryBudget& memory_;
    std::deque<Leaf, Counted<Leaf>> leaves_;
    Vector<Weight> sums_;  // of each leaf
    Vector<LeafSplit> splits_;
    Vector<std::uint32_t> by_rows_;  // open addressing; none: free
    Pieces lists_;                   // groups of the leaves that were split
    std::unordered_map<RowHash, bool, Hasher> seen_;  // scratch: yes sides of one leaf
    std::vector<Run> runs_;                           // scratch of scan_column
    std::vector<Weight> run_sums_;
    std::vector<std::uint32_t> by_rank_;
    std::vector<std::uint32_t> listed_;  // scratch of groups
    std::size_t n_expanded_ = 0;
};

}  // namespace ostrya::leaf_sets
