/// Switches for the bounds: each can be turned off without changing any answer.
#pragma once

#include "objective/switch.hpp"

namespace ostrya {

/// Bounds 1 to 8 of docs/bounds.md; bound 9 is part of the problem, not of the search.
struct Switches {
    Switch leaf_count;
    Switch leaf_optimal;
    Switch support;
    Switch superset;
    Switch similar_support;
    Switch look_ahead;
    Switch pairs_close;
    Switch depth_transfer;
};

}  // namespace ostrya
