/// What is known of every first split, in terms of the input columns.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/cost.hpp"

namespace ostrya {

/// One entry per split, in the order of the root's; costs are without the base.
struct SplitTable {
    std::vector<std::int32_t> feature;
    std::vector<double> cut;  // values up to this one answer yes
    /// Bounds of both children, and of all trees with this split that are not accounted
    /// for in the upper bound.
    std::vector<Cost> yes, no, rest;
    std::vector<Cost> yes_leaf, no_leaf;  // what each child costs as one leaf
    Cost base = 0;                        // of the whole root
};

}  // namespace ostrya
