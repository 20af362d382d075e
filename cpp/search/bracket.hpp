/// What is known about a subproblem: its optimum lies between lower and upper.
#pragma once

#include <algorithm>

#include "objective/cost.hpp"
#include "search/subtree_pool.hpp"

namespace ostrya {

struct Bracket {
    Cost lower = 0;
    Cost upper = unreachable;
    Subtree tree;           // costs exactly `upper`, where upper is reachable
    bool is_tight = false;  // some tree costs `lower`, though it may not be at hand

    bool is_solved() const { return lower >= upper; }

    /// Nothing below `budget` is left to find.
    bool settles(Cost budget) const { return is_solved() || lower >= budget; }

    /// No tree costs less than this, or than the one at hand.
    void raise(Cost bound) { lower = std::max(lower, std::min(upper, bound)); }

    /// Have the cost of a leaf as upper bound; on ties, the leaf is the smaller tree.
    void offer_leaf(Cost cost) {
        if (cost > upper) return;
        upper = cost;
        tree = Subtree();
    }

    void lower_to(Cost cost, Subtree better) {
        if (cost >= upper) return;
        upper = cost;
        tree = std::move(better);
    }

    /// Know what another bracket of the same subproblem says.
    void learn(const Bracket& other) {
        lower_to(other.upper, other.tree);
        raise(other.lower);
    }
};

}  // namespace ostrya
