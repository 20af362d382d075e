/// The least priced cost of a subproblem, by dynamic programming.
#pragma once

#include "fronts/subproblems.hpp"
#include "watch/stop.hpp"

namespace ostrya::fronts {

class LeastCost {
public:
    LeastCost(leaf_sets::LeafCache& leaves, Subproblems& subproblems, Cost penalty,
              StopSign& stop)
        : leaves_(leaves), subproblems_(subproblems), penalty_(penalty), stop_(stop) {}

    /// The least priced cost if it is at most `budget`, else a lower bound above it.
    /// When the stop sign is up, a lower bound.
    Cost of(std::uint32_t index, Cost budget);

    /// Levels that the search goes down at most: each takes its share of the stack.
    /// Trees deeper than this are not looked for; the memory is said to be out.
    static constexpr std::uint32_t most_front_levels = 500;

private:
    struct Candidate {
        Cost lower;
        std::uint32_t yes;
        std::uint32_t no;
    };

    void list(std::uint32_t index, Vector<Candidate>& candidates);

    leaf_sets::LeafCache& leaves_;
    Subproblems& subproblems_;
    Cost penalty_;
    StopSign& stop_;
    std::uint32_t n_levels_ = 0;
};

}  // namespace ostrya::fronts
