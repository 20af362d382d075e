/// What the caller may say about a search over leaf sets.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/cost.hpp"
#include "objective/limits.hpp"
#include "objective/switch.hpp"

namespace ostrya::leaf_sets {

/// Bounds L1 to L10 of docs/explanation/bounds.md, and the greedy tree a search starts
/// from.
struct Switches {
    Switch hierarchical;
    Switch look_ahead;
    Switch equivalent_points;
    Switch node_support;
    Switch incremental_accuracy;
    Switch leaf_accuracy;
    Switch permutation;
    Switch leaf_count;
    Switch similar_support;
    Switch tangent;
    Switch greedy_start;
};

/// Which leaf set is taken from the queue next: the one with the least of this.
enum class Policy { curiosity, lower_bound, objective, entropy, breadth, depth };

struct Options {
    std::optional<Cost> upper;  // only trees cheaper than this are wanted
    Limits limits;
    std::uint32_t min_samples_leaf = 1;
    Policy policy = Policy::curiosity;
    Switches switches;
};

}  // namespace ostrya::leaf_sets
