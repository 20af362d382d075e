/// What was proved of children that have been searched, for the children beside them.
///
/// Two children of one node, on the same side of two cuts of one column, differ only in
/// the rows between the cuts: the one has all rows of the other. What was proved of a
/// split of the smaller one holds for the same split of the larger (B4), and less the
/// rows between the other way round (B5). So a child starts with most splits settled.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "node/node.hpp"
#include "objective/limits.hpp"
#include "search/split_bounds.hpp"

namespace ostrya {

/// Which child of a node: of which split, and on which side.
struct ChildPlace {
    Split split;
    bool is_yes = false;
};

template <class Sum>
class Neighbours {
public:
    explicit Neighbours(MemoryBudget& memory)
        : memory_(&memory), kept_(memory_), columns_(memory_) {}

    void clear();

    /// Keep what `bounds` say of the splits of a child with histogram columns, and drop
    /// what was kept longest where all would take more than `most_bytes`.
    void keep(ChildPlace place, Limits limits, const Node<Sum>& child,
              const SplitBounds& bounds, std::size_t most_bytes);

    /// Raise the bounds of a child by what is known of its neighbours.
    void hand_down(ChildPlace place, Limits limits, const Node<Sum>& child,
                   SplitBounds& bounds);

private:
    struct Entry {
        Split split;
        Cost yes = 0, no = 0;
        Weight yes_potential = 0;
    };
    struct Proved {
        ChildPlace place;
        Limits limits;
        Weight potential = 0;
        Vector<Entry> entries;  // column by column, cuts ascending
    };

    /// The closest searched child with no more rows than this one, and with more.
    std::pair<const Proved*, const Proved*> closest(ChildPlace place,
                                                    Limits limits) const;
    template <class Use>
    void for_shared_splits(const Proved& proved, const Node<Sum>& child,
                           const Use& use) const;
    void list_columns(const Node<Sum>& node);

    MemoryBudget memory_;
    std::deque<Proved, Counted<Proved>> kept_;                 // oldest first
    Vector<std::pair<std::uint32_t, std::uint32_t>> columns_;  // and first splits
};

}  // namespace ostrya
