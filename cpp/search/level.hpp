/// Everything a node of the search keeps while it is open, one level of the stack.
#pragma once

#include <cstdint>
#include <vector>

#include "bounds/look_ahead.hpp"
#include "search/neighbours.hpp"
#include "node/node.hpp"
#include "node/partition.hpp"
#include "search/split_bounds.hpp"

namespace ostrya {

/// How far the pair scan got with a first split.
enum class Seen : std::uint8_t { no_split, single, pairs };

template <class Sum>
struct Level {
    Level(const Grid& grid, const Switches& switches) : bounds(grid, switches) {}

    Node<Sum> node;
    SplitBounds bounds;
    std::vector<Seen> seen;
    // Losses of both children of each split: as a leaf, and what pairs say of them.
    std::vector<Sum> yes_loss, no_loss_;
    std::vector<Sum> yes_two, no_two, yes_cell, no_cell;
    Parting<Sum> parting;      // by the split being explored
    Neighbours<Sum> children;  // what was proved of those searched so far
    ChildPlace place;          // of this node below the level above
    bool is_scanned = false;   // bounds are of this node, and of all its trees
    /// Cost of the best tree a scan saw but did not build, because it was over budget.
    Cost unclaimed = unreachable;

    void reset_pairs() {
        const std::size_t width = node.width;
        yes_two.assign(width, no_loss<Sum>);
        no_two.assign(width, no_loss<Sum>);
        yes_cell.assign(width, no_loss<Sum>);
        no_cell.assign(width, no_loss<Sum>);
    }
    ChildLosses yes_losses(std::uint32_t split) const {
        return {yes_loss[split], yes_two[split], yes_cell[split], no_loss<Sum>};
    }
    ChildLosses no_losses(std::uint32_t split) const {
        return {no_loss_[split], no_two[split], no_cell[split], no_loss<Sum>};
    }
    std::size_t bytes() const {
        return node.bytes() + bounds.bytes() + seen.capacity() +
               (2 * yes_loss.capacity() + 4 * yes_two.capacity()) * sizeof(Sum);
    }
};

}  // namespace ostrya
