/// What a scan of pairs has to look at, under limits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bounds/switches.hpp"
#include "node/node.hpp"
#include "objective/problem.hpp"

namespace ostrya {

/// Cuts of a column that are scanned where pairs prove nothing.
constexpr std::size_t idle_cuts = 16;

class ScanPlan {
public:
    ScanPlan(const Problem& problem, const Switches& switches)
        : problem_(problem), switches_(switches) {}

    /// Whether lower bounds of deeper children are wanted, or depth two is the end.
    bool needs_cells(Limits limits) const {
        return !switches_.pairs_close.is_on || limits.child().reachable_depth() >= 2;
    }
    /// Blocks of cells give losses, not the cells that bounds of deeper children need.
    bool may_use_blocks(Limits limits) const {
        return problem_.layout.is_binary() && !needs_cells(limits);
    }

    /// Whether some cuts of each column will do, since pairs could not prove enough of
    /// deeper trees: then a scan has not seen every tree of depth two.
    template <class Sum>
    bool samples_cuts(const Node<Sum>& node, Limits limits, Cost goal) const {
        // Eight penalties are the most that pairs can prove of a deeper split.
        return !node.histograms.empty() && !node.uses_tables && needs_cells(limits) &&
               goal > 8 * problem_.scale.penalty;
    }
    /// How many first splits are looked at, at most.
    template <class Sum>
    std::size_t most_first_splits(const Node<Sum>& node, Limits limits,
                                  Cost goal) const {
        const std::size_t width = node.splits.width;
        if (!samples_cuts(node, limits, goal)) return width;
        return std::min(width, node.bits.n + idle_cuts * node.histograms.size());
    }

    /// The second splits of one first split, as cells of two labels.
    template <class Sum>
    static std::int64_t pair_cells(const Node<Sum>& node) {
        return static_cast<std::int64_t>(node.splits.width * node.words_per_cell());
    }

private:
    const Problem& problem_;
    const Switches& switches_;
};

}  // namespace ostrya
