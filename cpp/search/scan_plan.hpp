/// What a scan of pairs has to look at, under limits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bounds/switches.hpp"
#include "node/node.hpp"
#include "objective/problem.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

class ScanPlan {
public:
    ScanPlan(const Problem& problem, const Switches& switches, const Tuning& tuning)
        : problem_(problem), switches_(switches), idle_cuts_(tuning.search.idle_cuts) {}

    /// Cuts of each column that are scanned where pairs prove nothing.
    std::size_t idle_cuts() const { return idle_cuts_; }

    /// Whether children may have trees that no pair is.
    bool has_deeper_trees(Limits limits) const {
        return !switches_.pairs_close.is_on || limits.child().reachable_depth() >= 2;
    }
    /// Whether the least cells of pairs are wanted: they bound those deeper trees, by
    /// what their leaves cost (B6). Leaves that cost nothing bound nothing.
    bool needs_cells(Limits limits) const {
        return problem_.scale.penalty > 0 && has_deeper_trees(limits);
    }
    /// Blocks of cells give losses, not the cells that bounds of deeper children need.
    /// Problems that rank splits have them for two classes only.
    bool may_use_blocks(Limits limits) const {
        return (problem_.layout.is_binary() || !problem_.ranks_splits) &&
               !needs_cells(limits);
    }

    /// Whether some cuts of each column will do, since pairs could not prove enough of
    /// deeper trees: then a scan has not seen every tree of depth two.
    template <class Sum>
    bool samples_cuts(const Node<Sum>& node, Limits limits, Cost goal) const {
        // Eight penalties are the most that pairs can prove of a deeper split.
        return !node.histograms.empty() && !node.uses_tables &&
               has_deeper_trees(limits) && goal > 8 * problem_.scale.penalty;
    }
    /// How many first splits are looked at, at most.
    template <class Sum>
    std::size_t most_first_splits(const Node<Sum>& node, Limits limits,
                                  Cost goal) const {
        const std::size_t width = node.splits.width;
        if (!samples_cuts(node, limits, goal)) return width;
        return std::min(width, node.bits.n + idle_cuts_ * node.histograms.size());
    }

    /// The second splits of one first split, as cells of two labels.
    template <class Sum>
    static std::int64_t pair_cells(const Node<Sum>& node) {
        return static_cast<std::int64_t>(node.splits.width * node.words_per_cell());
    }

    /// What a row or cell takes in a block of several labels that is swept, up and
    /// down.
    static constexpr std::uint64_t nanoseconds_per_swept = 8;

    /// What the pairs of one first split take, in nanoseconds (watch/work_count.hpp): a
    /// bit column, or a cut of a histogram, whose cells may be counted by blocks.
    /// Fitted as Node::nanoseconds is. Sums of few labels stay in registers.
    template <class Sum>
    static std::size_t pair_nanoseconds(const Node<Sum>& node, bool is_bit,
                                        bool by_blocks) {
        constexpr std::size_t overhead = 300, few_slots = 5, words_per_look = 32,
                              cells_per_look = 6, cells_per_look_at_labels = 12;
        constexpr std::size_t cells_in_cache = std::size_t{1} << 20,
                              sums_in_cache = std::size_t{1} << 22;
        const std::size_t n_slots = node.rows.total.size();
        const std::size_t n_cells = node.histograms.n_cells;
        const std::size_t n_sums =
            n_slots * (node.bits.stride + (by_blocks ? 0 : n_cells));
        const std::size_t of_words =
            n_slots * node.bits.stride * node.rows.n_words / words_per_look;
        const std::size_t of_sums = n_slots <= few_slots      ? n_sums * 2 / 5
                                    : n_sums <= sums_in_cache ? n_sums * 5 / 4
                                                              : n_sums * 11 / 4;
        const std::size_t of_blocks =
            !by_blocks     ? 0
            : n_slots == 2 ? n_cells / cells_per_look
                           : n_cells * n_slots / cells_per_look_at_labels;
        // Rows change sides from one cut to the next, in every column.
        const std::size_t of_rows =
            is_bit && n_cells == 0
                ? 0
                : std::size_t{node.rows.n} * (n_cells <= cells_in_cache ? 2 : 14);
        return overhead + of_words + of_sums + of_blocks + of_rows;
    }

private:
    const Problem& problem_;
    const Switches& switches_;
    std::size_t idle_cuts_;
};

}  // namespace ostrya
