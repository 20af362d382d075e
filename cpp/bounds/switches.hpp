/// Switches for the bounds: each can be turned off without changing any answer.
#pragma once

#include <cstdint>

#include "objective/switch.hpp"

namespace ostrya {

/// Bounds 1 to 8 and 10 of docs/explanation/bounds.md; bound 9 is part of the problem,
/// not of the search.
struct Switches {
    Switch leaf_count;
    Switch leaf_optimal;
    Switch support;
    Switch superset;
    Switch similar_support;
    Switch look_ahead;
    Switch pairs_close;
    Switch depth_transfer;
    Switch row_prices;
};

/// The switches that a problem allows: B4 and B5 carry trees between row sets, which
/// may leave a leaf with too few rows.
inline Switches usable_switches(Switches switches, std::uint32_t min_samples_leaf) {
    if (min_samples_leaf > 1) {
        switches.superset.is_on = false;
        switches.similar_support.is_on = false;
    }
    return switches;
}

}  // namespace ostrya
