/// Everything a node of the search keeps while it is open, one level of the stack.
#pragma once

#include <cstdint>

#include "bounds/look_ahead.hpp"
#include "node/partition.hpp"
#include "search/neighbours.hpp"
#include "search/split_bounds.hpp"

namespace ostrya {

/// How far the scans got with a first split.
enum class Seen : std::uint8_t { no_split, single, pairs };

/// Losses of both children of each split: as a leaf, and what pairs say of them.
template <class Sum>
struct SplitLosses {
    explicit SplitLosses(MemoryBudget& memory)
        : seen(memory),
          yes(memory),
          no(memory),
          yes_two(memory),
          no_two(memory),
          yes_cell(memory),
          no_cell(memory) {}

    /// Start over with single splits, and with pairs.
    void reset(std::size_t width) {
        seen.assign(width, Seen::no_split);
        yes.resize(width);
        no.resize(width);
    }
    void reset_pairs() {
        for (Vector<Sum>* each : {&yes_two, &no_two, &yes_cell, &no_cell}) {
            each->assign(seen.size(), unreachable_loss<Sum>);
        }
    }

    Weight leaf(std::uint32_t split, bool is_yes) const {
        return is_yes ? yes[split] : no[split];
    }
    ChildLosses of_child(std::uint32_t split, bool is_yes) const {
        return is_yes ? ChildLosses{yes[split], yes_two[split], yes_cell[split],
                                    unreachable_loss<Sum>}
                      : ChildLosses{no[split], no_two[split], no_cell[split],
                                    unreachable_loss<Sum>};
    }
    ChildBestArrays<Sum> pairs_from(std::uint32_t split) {
        return {yes_two.data() + split, no_two.data() + split, yes_cell.data() + split,
                no_cell.data() + split};
    }
    void set_pairs(std::uint32_t split, const ChildBest<Sum>& best) {
        yes_two[split] = best.yes_two;
        no_two[split] = best.no_two;
        yes_cell[split] = best.yes_cell;
        no_cell[split] = best.no_cell;
    }
    void lower_pairs(std::uint32_t split, const ChildBest<Sum>& best) {
        yes_two[split] = std::min(yes_two[split], best.yes_two);
        no_two[split] = std::min(no_two[split], best.no_two);
        yes_cell[split] = std::min(yes_cell[split], best.yes_cell);
        no_cell[split] = std::min(no_cell[split], best.no_cell);
    }

    Vector<Seen> seen;
    Vector<Sum> yes, no;
    Vector<Sum> yes_two, no_two, yes_cell, no_cell;
};

template <class Sum>
struct Level {
    Level(const CostScale& scale, const Switches& switches, MemoryBudget& memory)
        : row_memory(&memory),
          split_memory(&memory),
          node(row_memory, split_memory),
          bounds(scale, switches, split_memory),
          losses(split_memory),
          partition(row_memory),
          children(memory),
          deferred(split_memory) {}

    MemoryBudget row_memory, split_memory;
    Node<Sum> node;
    SplitBounds bounds;
    SplitLosses<Sum> losses;
    Partition<Sum> partition;         // by the split being explored
    Neighbours<Sum> children;         // what was proved of those searched so far
    Vector<std::uint32_t> deferred;   // splits that other threads are at
    ChildPlace place;                 // of this node below the level above
    std::uint64_t price_version = 0;  // of the prices that bound this node
    bool is_scanned = false;          // so that its splits have bounds
    bool joins_others = false;        // for nothing else is left to do here

    std::uint64_t bytes() const { return row_memory.used() + split_memory.used(); }

    /// What the level of either child takes at most.
    std::uint64_t child_bytes() const {
        return ostrya::child_bytes(node, partition, row_memory.used(),
                                   split_memory.used());
    }

    /// Know nothing of a node that is about to be searched.
    void begin_search() {
        is_scanned = joins_others = false;
        deferred.clear();
    }

    /// Forget what can be found again.
    void forget() { children.clear(); }
};

}  // namespace ostrya
