/// The last two levels: every second split is counted at once, and no node is built.
#pragma once

#include <cstdint>

#include "search/bracket.hpp"
#include "top_k/cut_nodes.hpp"
#include "top_k/side_loss.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// Nodes of rows alone have no pairs to count.
template <class Nodes>
class LastLevels {
public:
    LastLevels(const Problem&, Nodes&, SubtreePool&, Statistics&, MemoryBudget&) {}
};

template <class Sum>
class LastLevels<CutNodes<Sum>> {
public:
    LastLevels(const Problem& problem, CutNodes<Sum>& nodes, SubtreePool& pool,
               Statistics& statistics, MemoryBudget& memory)
        : problem_(problem),
          nodes_(nodes),
          pool_(pool),
          statistics_(statistics),
          second_(memory),
          side_(memory),
          side_total_(nodes.reader().size(), 0, memory),
          side_rest_(nodes.reader().size(), 0, memory) {}

    /// True when an earlier candidate has the same sides as the one at `place`.
    static bool is_repeated(const Node<Sum>& node,
                            const Vector<std::uint32_t>& candidates, std::size_t place);

    /// One candidate with one split at most on either side, each among the `k` best of
    /// that side: the least it costs. Sets `has_left_out` if a side has more splits.
    Cost try_pair(const Node<Sum>& node, std::uint32_t split, Limits limits,
                  std::uint32_t k, Cost cap, Bracket& best, bool& has_left_out);

private:
    /// A child with one split at most: its cost as it is and, where a split pays,
    /// which.
    struct Stump {
        Cost leaf = unreachable;
        Cost two = unreachable;
        std::uint32_t split = none;

        Cost cost() const { return two < leaf ? two : leaf; }
    };
    Stump bound_stump(const Node<Sum>& node, std::uint32_t split, bool yes,
                      Sum two) const;
    bool grow_stump(const Node<Sum>& node, std::uint32_t split, bool yes,
                    std::uint32_t k, Stump& stump);

    const Problem& problem_;
    CutNodes<Sum>& nodes_;
    SubtreePool& pool_;
    Statistics& statistics_;
    Vector<std::uint32_t> second_;
    Vector<Sum> side_;  // slots x width: the no side of a pair row
    Vector<Sum> side_total_, side_rest_;
};

}  // namespace ostrya
