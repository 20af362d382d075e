/// Lower bounds of every split of a node, carried along its columns.
///
/// Along a column the yes child grows with the cut and the no child shrinks. So a
/// bound proved for one cut holds for the yes children of all larger cuts and the no
/// children of all smaller ones (B4), and less the rows between for the others (B5).
/// Whole intervals of cuts fall by one solved child.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bounds/similar_support.hpp"
#include "bounds/superset.hpp"
#include "search/node.hpp"

namespace ostrya {

class SplitBounds {
public:
    SplitBounds(const Grid& grid, const Switches& switches)
        : grid_(grid), switches_(switches) {}

    template <class Sum>
    void reset(const Node<Sum>& node) {
        next_ = node.next.data();
        previous_ = node.previous.data();
        yes_.assign(node.width, 0);
        no_.assign(node.width, 0);
        rest_.assign(node.width, 0);
        potential_.assign(node.width, 0);
    }

    /// Bounds known at the start, before any are carried along.
    void start(std::uint32_t split, Weight yes_potential, Cost yes, Cost no) {
        potential_[split] = yes_potential;
        yes_[split] = yes;
        no_[split] = no;
    }

    Cost yes(std::uint32_t split) const { return yes_[split]; }
    Cost no(std::uint32_t split) const { return no_[split]; }
    Weight potential(std::uint32_t split) const { return potential_[split]; }

    /// Lower bound of the trees with this first split that are not accounted for in
    /// the node's upper bound yet.
    Cost rest(std::uint32_t split) const {
        return std::max(rest_[split], yes_[split] + no_[split]);
    }
    void raise_rest(std::uint32_t split, Cost lower) {
        rest_[split] = std::max(rest_[split], lower);
    }

    void raise_yes(std::uint32_t split, Cost lower) {
        if (lower <= yes_[split]) return;
        yes_[split] = lower;
        carry(next_, split, yes_, superset(lower));
        carry_less(previous_, split, yes_, lower);
    }
    void raise_no(std::uint32_t split, Cost lower) {
        if (lower <= no_[split]) return;
        no_[split] = lower;
        carry(previous_, split, no_, superset(lower));
        carry_less(next_, split, no_, lower);
    }

    std::size_t bytes() const { return 4 * yes_.capacity() * sizeof(Cost); }

private:
    Cost superset(Cost lower) const {
        return superset_lower(lower, switches_.superset);
    }

    void carry(const std::uint32_t* along, std::uint32_t split,
               std::vector<Cost>& bounds, Cost lower) {
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            if (lower <= bounds[at]) break;
            bounds[at] = lower;
        }
    }
    void carry_less(const std::uint32_t* along, std::uint32_t split,
                    std::vector<Cost>& bounds, Cost lower) {
        for (std::uint32_t at = along[split]; at != none; at = along[at]) {
            const Weight between = std::abs(potential_[split] - potential_[at]);
            const Cost less =
                similar_lower(lower, between, grid_, switches_.similar_support);
            if (less <= bounds[at]) break;
            bounds[at] = less;
        }
    }

    Grid grid_;
    Switches switches_;
    const std::uint32_t* next_ = nullptr;
    const std::uint32_t* previous_ = nullptr;
    std::vector<Cost> yes_;
    std::vector<Cost> no_;
    std::vector<Cost> rest_;
    std::vector<Weight> potential_;
};

}  // namespace ostrya
