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

class SplitBounds {
public:
    SplitBounds(const CostScale& scale, const Switches& switches, MemoryBudget& memory)
        : scale_(scale),
          switches_(switches),
          yes_(memory),
          no_(memory),
          rest_(memory),
          potential_(memory),
          is_proved_(memory) {}

    /// Start afresh with a node whose rows have this potential.
    template <class Sum>
    void reset(const Node<Sum>& node, Weight potential) {
        const std::uint32_t width = node.splits.width;
        next_ = node.splits.next.data();
        previous_ = node.splits.previous.data();
        yes_.assign(width, 0);
        no_.assign(width, 0);
        rest_.assign(width, 0);
        potential_.assign(width, 0);
        is_proved_.assign(width, 0);
        total_potential_ = potential;
        cover_all_trees_ = true;
    }

    /// Know what is known of the same node elsewhere.
    void copy(const SplitBounds& other) {
        assert(yes_.size() == other.yes_.size());
        yes_ = other.yes_;
        no_ = other.no_;
        rest_ = other.rest_;
        potential_ = other.potential_;
        is_proved_ = other.is_proved_;
        cover_all_trees_ = other.cover_all_trees_;
    }

    /// Say that these bounds are of no node, or of its smaller trees alone.
    void narrow_scope() { cover_all_trees_ = false; }
    /// Whether they hold for all trees of the node, so that neighbours may use them.
    bool cover_all_trees() const { return cover_all_trees_; }

    /// Bounds known at the start, before any are carried along.
    void start(std::uint32_t split, Weight yes_potential, Cost yes, Cost no) {
        potential_[split] = yes_potential;
        yes_[split] = yes;
        no_[split] = no;
    }

    Cost yes(std::uint32_t split) const { return yes_[split]; }
    Cost no(std::uint32_t split) const { return no_[split]; }
    Weight potential(std::uint32_t split) const { return potential_[split]; }
    Weight total_potential() const { return total_potential_; }
    /// Whether something was proved of this very split, not only carried to it.
    bool is_proved(std::uint32_t split) const { return is_proved_[split] != 0; }

    /// Lower bound of the trees with this first split that are not accounted for in
    /// the node's upper bound yet.
    Cost rest(std::uint32_t split) const {
        assert(split < rest_.size());
        return std::max(rest_[split], yes_[split] + no_[split]);
    }
    void raise_rest(std::uint32_t split, Cost lower) {
        rest_[split] = std::max(rest_[split], lower);
    }

    Cost side(std::uint32_t split, bool is_yes) const {
        return is_yes ? yes_[split] : no_[split];
    }
    void raise(std::uint32_t split, bool is_yes, Cost lower) {
        is_yes ? raise_yes(split, lower) : raise_no(split, lower);
    }
    void raise_yes(std::uint32_t split, Cost lower) {
        assert(lower <= unreachable);
        if (lower <= yes_[split]) return;
        yes_[split] = lower;
        is_proved_[split] = 1;
        carry(next_, split, yes_, of_more_rows(lower));
        carry_less(previous_, split, yes_, lower);
    }
    void raise_no(std::uint32_t split, Cost lower) {
        assert(lower <= unreachable);
        if (lower <= no_[split]) return;
        no_[split] = lower;
        is_proved_[split] = 1;
        carry(previous_, split, no_, of_more_rows(lower));
        carry_less(next_, split, no_, lower);
    }

    /// Raise both without carrying anything along: for many splits at once.
    void raise_both(std::uint32_t split, Cost yes, Cost no) {
        if (yes <= yes_[split] && no <= no_[split]) return;
        yes_[split] = std::max(yes_[split], yes);
        no_[split] = std::max(no_[split], no);
        is_proved_[split] = 1;
    }

    /// Carry everything along the column whose first cut this is.
    void carry_all(std::uint32_t first) {
        std::uint32_t last = first;
        for (std::uint32_t at = next_[first]; at != none; last = at, at = next_[at]) {
            carry_step(last, at, yes_, no_);
        }
        for (std::uint32_t at = last; previous_[at] != none; at = previous_[at]) {
            carry_step(at, previous_[at], no_, yes_);
        }
    }

    /// What a bound says of a set with more rows, and of one with fewer.
    Cost of_more_rows(Cost lower) const {
        return superset_lower(lower, switches_.superset);
    }
    Cost of_fewer_rows(Cost lower, Weight fewer) const {
        return similar_lower(lower, fewer, scale_, switches_.similar_support);
    }

private:
    /// From one cut to the one beside it, where the one side grows and the other
    /// shrinks.
    void carry_step(std::uint32_t from, std::uint32_t to, Vector<Cost>& growing,
                    Vector<Cost>& shrinking) {
        const Weight between = std::abs(potential_[from] - potential_[to]);
        growing[to] = std::max(growing[to], of_more_rows(growing[from]));
        shrinking[to] =
            std::max(shrinking[to], of_fewer_rows(shrinking[from], between));
    }

    void carry(const std::uint32_t* along, std::uint32_t split, Vector<Cost>& bounds,
               Cost lower) {
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            if (lower <= bounds[at]) break;
            bounds[at] = lower;
        }
    }
    void carry_less(const std::uint32_t* along, std::uint32_t split,
                    Vector<Cost>& bounds, Cost lower) {
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            const Weight between = std::abs(potential_[split] - potential_[at]);
            const Cost less = of_fewer_rows(lower, between);
            if (less <= bounds[at]) break;
            bounds[at] = less;
        }
    }

    CostScale scale_;
    Switches switches_;
    const std::uint32_t* next_ = nullptr;
    const std::uint32_t* previous_ = nullptr;
    Vector<Cost> yes_;
    Vector<Cost> no_;
    Vector<Cost> rest_;
    Vector<Weight> potential_;
    Vector<std::uint8_t> is_proved_;
    Weight total_potential_ = 0;
    bool cover_all_trees_ = false;
};

}  // namespace ostrya
