/// The two scans of a node: single splits, and pairs of splits.
///
/// Scan 1 sees every tree of one split, scan 2 every tree of depth two; together they
/// bound the deeper trees below each first split (B6, B7) without visiting a child.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "pairs/pair_counter.hpp"
#include "search/bracket.hpp"
#include "search/context.hpp"
#include "search/level.hpp"
#include "search/pair_tree.hpp"
#include "search/scan_plan.hpp"
#include "tables/tables.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Cells of two labels that pair scans may look at before they come back with what
/// they have; a cell of more labels counts as several.
struct ScanEffort {
    std::int64_t cells_left = std::numeric_limits<std::int64_t>::max();

    bool spend(std::int64_t n_cells) { return (cells_left -= n_cells) > 0; }
    bool is_spent() const { return cells_left <= 0; }
};

/// The best tree of depth two that a scan of pairs found: its cost and first split.
struct BestPair {
    Cost cost = unreachable;
    std::uint32_t split = none;
};

template <class Sum>
class PairScan {
public:
    /// `switches` are those that the problem allows.
    PairScan(const SearchContext& context, const Switches& switches,
             const NodeBuilder<Sum>& builder);

    /// Scan 1: both children of every split as leaves.
    void scan_singles(Level<Sum>& level, Bracket& best);

    /// Scan 2: for every first split that may still matter, the best second splits.
    BestPair scan_pairs(Level<Sum>& level, Limits limits, Cost goal,
                        ScanEffort& effort);

    /// The tree behind a pair.
    Subtree tree_of(const Level<Sum>& level, const BestPair& pair);

    /// Scan the pairs of one split whatever the goal.
    void scan_split(Level<Sum>& level, std::uint32_t split, Limits limits);

    ChildCosts costs_of(const ChildLosses& losses, Limits child_limits) const {
        ChildCosts costs = child_costs(losses, problem_.scale, switches_.look_ahead);
        // Where a child cannot have three leaves, the scan has seen all of its trees.
        if (switches_.pairs_close.is_on && child_limits.reachable_depth() < 2) {
            costs.more = unreachable;
        }
        return costs;
    }

    /// Solve both children of the level's partition to depth two, if they are asked
    /// for and tables can do it.
    bool solve_children(const Level<Sum>& level, std::uint64_t most_bytes,
                        typename Tables<Sum>::Children& children);

    /// Whether to come back, asked before each piece of work on a node.
    bool is_stopped(const Node<Sum>& node) {
        return is_stopped(node, node.nanoseconds());
    }
    /// Have `look` called before each piece of work on a node. A scan of a large root
    /// may take as long as the search has: what takes turns with it has them here.
    void look_between(std::function<void()> look) { look_between_ = std::move(look); }

    const ScanPlan plan;

private:
    bool is_stopped(const Node<Sum>& node, std::size_t nanoseconds) {
        if (look_between_) look_between_();
        return stop_.is_up_before(node.work(), nanoseconds);
    }
    /// Count the time of the blocks that were swept: it is known only afterwards.
    void count_swept() {
        stop_.counted.add(0, ScanPlan::nanoseconds_per_swept * counter_.take_swept());
    }
    void scan_bits(Level<Sum>& level, Limits limits, Cost goal, ScanEffort& effort,
                   BestPair& found);
    void scan_bit(Level<Sum>& level, std::uint32_t split, Limits limits);
    void scan_histogram(Level<Sum>& level, std::uint32_t index, Limits limits,
                        Cost goal, ScanEffort& effort, BestPair& found);
    void scan_cut(Level<Sum>& level, std::uint32_t split, Limits limits);
    void scan_tables(Level<Sum>& level, Limits limits, ScanEffort& effort,
                     BestPair& found);
    Cost note_pairs(Level<Sum>& level, std::uint32_t split, Limits limits,
                    BestPair& found);
    void compare_splits(Level<Sum>& level, std::uint32_t split, Cost lower, Cost goal);

    const Problem& problem_;
    const Switches& switches_;
    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    SubtreePool& pool_;
    Statistics& statistics_;
    StopSign& stop_;
    PairCounter<Sum> counter_;
    PairTree<Sum> pair_tree_;
    Tables<Sum> tables_;
    Vector<std::uint32_t> cuts_;  // scratch of scan_histogram
    Vector<Sum> distances_;       // scratch of compare_splits
    std::function<void()> look_between_;
};

}  // namespace ostrya
