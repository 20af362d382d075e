/// The one place where a ratio becomes an integer.
#pragma once

#include "objective/cost.hpp"

namespace ostrya::leaf_sets {

/// The ratio rounded down, for numerators >= 0: what is a lower bound stays one. The
/// loss of a tree is rounded the same way, so that bounds and trees compare.
inline Weight rounded_down(__int128 numerator, __int128 denominator) {
    return static_cast<Weight>(numerator / denominator);
}

/// The ratio rounded up, for what is taken off a lower bound.
inline Weight rounded_up(__int128 numerator, __int128 denominator) {
    return static_cast<Weight>((numerator + denominator - 1) / denominator);
}

}  // namespace ostrya::leaf_sets
