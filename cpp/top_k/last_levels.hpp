/// The last levels, where no node is built: candidates with a leaf on both sides, or
/// with one split at most on each, and every second split counted at once.
#pragma once

#include <cstdint>

#include "search/branching.hpp"
#include "top_k/cut_nodes.hpp"
#include "top_k/top_k_level.hpp"
#include "top_k/width.hpp"

namespace ostrya {

/// Candidates with a leaf on both sides; the least that any of them costs.
template <class Nodes>
Cost try_singles(const TopKLevel<Nodes>& level, SubtreePool& pool, Bracket& best) {
    Cost least = unreachable;
    for (const std::uint32_t split : level.candidates) {
        const Cost cost = level.side_cost(split, true) + level.side_cost(split, false);
        least = std::min(least, cost);
        if (cost < best.upper) {
            best.lower_to(cost,
                          Subtree::join(pool, level.node.splits.names[split], {}, {}));
        }
    }
    return least;
}

/// Nodes of rows alone have no pairs to count.
template <class Nodes>
class LastLevels {
public:
    LastLevels(Nodes&, Branching<TopKLevel<Nodes>>&, Width&, StopSign&, MemoryBudget&) {
    }
};

template <class Sum>
class LastLevels<CutNodes<Sum>> {
    using Level = TopKLevel<CutNodes<Sum>>;

public:
    LastLevels(CutNodes<Sum>& nodes, Branching<Level>& branching, Width& width,
               StopSign& stop, MemoryBudget& memory)
        : nodes_(nodes),
          branching_(branching),
          width_(width),
          stop_(stop),
          second_(memory),
          side_(memory),
          side_total_(nodes.reader().size(), 0, memory),
          side_rest_(nodes.reader().size(), 0, memory) {}

    /// Candidates of the node at a level with one split at most on both sides; the
    /// least that any of them costs.
    Cost try_pairs(std::size_t depth, Limits limits, Cost budget, Bracket& best);

private:
    /// A child with one split at most: its cost as it is and, where a split pays,
    /// which.
    struct Stump {
        Cost leaf = unreachable;
        Cost two = unreachable;
        std::uint32_t split = none;

        Cost cost() const { return two < leaf ? two : leaf; }
    };

    static bool is_repeated(const Level& level, std::size_t place);
    Cost try_pair(const Level& level, std::uint32_t split, std::uint32_t k,
                  Limits limits, Cost cap, Bracket& best);
    Stump bound_stump(const Level& level, std::uint32_t split, bool yes, Sum two) const;
    bool grow_stump(const Level& level, std::uint32_t split, bool yes, std::uint32_t k,
                    Stump& stump);

    CutNodes<Sum>& nodes_;
    Branching<Level>& branching_;
    Width& width_;
    StopSign& stop_;
    Vector<std::uint32_t> second_;
    Vector<Sum> side_;  // slots x width: the no side of a pair row
    Vector<Sum> side_total_, side_rest_;
};

}  // namespace ostrya
