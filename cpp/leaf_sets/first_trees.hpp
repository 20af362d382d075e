/// The trees that a search begins with: grown as CART grows them, always where impurity
/// falls most, and those that its criterion names.
#pragma once

#include <vector>

#include "leaf_sets/criterion.hpp"
#include "leaf_sets/incumbent.hpp"
#include "objective/limits.hpp"

namespace ostrya::leaf_sets {

class FirstTrees {
public:
    FirstTrees(LeafCache& leaves, Criterion& criterion, const Limits& limits,
               StopSign& stop, Incumbent& incumbent)
        : leaves_(leaves),
          criterion_(criterion),
          limits_(limits),
          stop_(stop),
          incumbent_(incumbent) {}

    /// Every tree on the way is weighed, so pruning is not needed.
    void grow_greedily();
    /// Weigh a tree that is given by its splits, if the limits allow it.
    void try_tree(const std::vector<std::uint32_t>& splits);

private:
    struct PurestSplit {
        std::uint32_t split = none;
        double won = -1.0;  // by how much impurity falls
    };

    PurestSplit purest_split(const LeafSet::Entry& entry);
    void weigh(LeafSet& set);

    LeafCache& leaves_;
    Criterion& criterion_;
    const Limits& limits_;
    StopSign& stop_;
    Incumbent& incumbent_;
};

}  // namespace ostrya::leaf_sets
