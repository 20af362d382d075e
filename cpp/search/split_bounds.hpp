/// Lower bounds of every split of a node, carried along its columns.
///
/// Along a column the yes child grows with the cut and the no child shrinks. So a
/// bound proved for one cut holds for the yes children of all larger cuts and the no
/// children of all smaller ones (B4), and less the rows between for the others (B5).
/// Whole intervals of cuts fall by one solved child.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "bounds/similar_support.hpp"
#include "bounds/superset.hpp"
#include "node/node.hpp"

namespace ostrya {

/// What is known of one split: four numbers that are read together.
struct SplitBound {
    Weight potential = 0;            // of its yes side
    Cost yes = 0, no = 0, more = 0;  // of its sides, and of both together

    Cost side(bool is_yes) const { return is_yes ? yes : no; }
    /// Lower bound of the trees with this first split that are not accounted for in
    /// the node's upper bound yet.
    Cost rest() const { return std::max(more, yes + no); }
};

/// What a bound of one set of rows says of another.
struct RowTransfer {
    CostScale scale;
    Switches switches;

    Cost to_more(Cost lower) const { return superset_lower(lower, switches.superset); }
    Cost to_fewer(Cost lower, Weight fewer) const {
        return similar_lower(lower, fewer, scale, switches.similar_support);
    }
};

class SplitBounds {
public:
    SplitBounds(const CostScale& scale, const Switches& switches, MemoryBudget& memory)
        : transfer{scale, switches}, splits_(memory), is_proved_(memory) {}

    /// Start afresh with a node whose rows have this potential; `start` follows for
    /// every split.
    template <class Sum>
    void reset(const Node<Sum>& node, Weight potential) {
        const std::uint32_t width = node.splits.width;
        next_ = node.splits.next.data();
        previous_ = node.splits.previous.data();
        splits_.reserve(width);  // and no more, as `resize` would
        splits_.resize(width);
        is_proved_.assign(width, 0);
        total_potential_ = potential;
        cover_all_trees = true;
    }

    /// Know what is known of the same node elsewhere.
    void copy(const SplitBounds& other) {
        assert(splits_.empty() || splits_.size() == other.splits_.size());
        splits_ = other.splits_;
        is_proved_ = other.is_proved_;
        cover_all_trees = other.cover_all_trees;
    }

    /// Have both know what either of them knows of the same node.
    void exchange(SplitBounds& other) {
        assert(splits_.size() == other.splits_.size());
        for (std::size_t split = 0; split < splits_.size(); ++split) {
            SplitBound &mine = splits_[split], &yours = other.splits_[split];
            mine.yes = yours.yes = std::max(mine.yes, yours.yes);
            mine.no = yours.no = std::max(mine.no, yours.no);
            mine.more = yours.more = std::max(mine.more, yours.more);
            is_proved_[split] |= other.is_proved_[split];
            other.is_proved_[split] = is_proved_[split];
        }
    }

    /// Bounds known at the start, before any are carried along.
    void start(std::uint32_t split, Weight yes_potential, Cost yes, Cost no) {
        splits_[split] = {yes_potential, yes, no, 0};
    }

    const SplitBound& of(std::uint32_t split) const {
        assert(split < splits_.size());
        return splits_[split];
    }
    Cost rest(std::uint32_t split) const { return of(split).rest(); }
    Weight total_potential() const { return total_potential_; }
    /// Whether something was proved of this very split, not only carried to it.
    bool is_proved(std::uint32_t split) const { return is_proved_[split] != 0; }

    void raise_rest(std::uint32_t split, Cost lower) {
        splits_[split].more = std::max(splits_[split].more, lower);
    }
    /// Raise the bound of one side, and carry it along the column.
    void raise(std::uint32_t split, bool is_yes, Cost lower) {
        is_yes ? raise_side(split, &SplitBound::yes, lower, next_, previous_)
               : raise_side(split, &SplitBound::no, lower, previous_, next_);
    }
    /// Raise both without carrying anything along: for many splits at once.
    void raise_both(std::uint32_t split, Cost yes, Cost no) {
        SplitBound& known = splits_[split];
        if (yes <= known.yes && no <= known.no) return;
        known.yes = std::max(known.yes, yes);
        known.no = std::max(known.no, no);
        is_proved_[split] = 1;
    }

    /// Carry everything along the column whose first cut this is.
    void carry_all(std::uint32_t first) {
        std::uint32_t last = first;
        for (std::uint32_t at = next_[first]; at != none; last = at, at = next_[at]) {
            carry_step(last, at, &SplitBound::yes, &SplitBound::no);
        }
        for (std::uint32_t at = last; previous_[at] != none; at = previous_[at]) {
            carry_step(at, previous_[at], &SplitBound::no, &SplitBound::yes);
        }
    }

    const RowTransfer transfer;
    /// Whether they hold for all trees of the node, so that neighbours may use them;
    /// not where they are of no node, or of its smaller trees alone.
    bool cover_all_trees = false;

private:
    using Side = Cost SplitBound::*;

    /// The side grows in one direction along the column, and shrinks in the other.
    void raise_side(std::uint32_t split, Side side, Cost lower,
                    const std::uint32_t* growing, const std::uint32_t* shrinking) {
        assert(lower <= unreachable);
        if (lower <= splits_[split].*side) return;
        splits_[split].*side = lower;
        is_proved_[split] = 1;
        carry(growing, split, side, transfer.to_more(lower));
        carry_less(shrinking, split, side, lower);
    }

    /// From one cut to the one beside it, where the one side grows and the other
    /// shrinks.
    void carry_step(std::uint32_t from, std::uint32_t to, Side growing,
                    Side shrinking) {
        const SplitBound& here = splits_[from];
        SplitBound& there = splits_[to];
        const Weight between = std::abs(here.potential - there.potential);
        there.*growing = std::max(there.*growing, transfer.to_more(here.*growing));
        there.*shrinking =
            std::max(there.*shrinking, transfer.to_fewer(here.*shrinking, between));
    }

    void carry(const std::uint32_t* along, std::uint32_t split, Side side, Cost lower) {
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            if (lower <= splits_[at].*side) break;
            splits_[at].*side = lower;
        }
    }
    void carry_less(const std::uint32_t* along, std::uint32_t split, Side side,
                    Cost lower) {
        const Weight potential = splits_[split].potential;
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            const Weight between = std::abs(potential - splits_[at].potential);
            const Cost less = transfer.to_fewer(lower, between);
            if (less <= splits_[at].*side) break;
            splits_[at].*side = less;
        }
    }

    const std::uint32_t* next_ = nullptr;
    const std::uint32_t* previous_ = nullptr;
    Vector<SplitBound> splits_;
    Vector<std::uint8_t> is_proved_;
    Weight total_potential_ = 0;
};

}  // namespace ostrya
