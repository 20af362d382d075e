/// Prices of the two kinds of error, which make a sum over rows of the caller's loss.
#pragma once

#include "objective/cost.hpp"

namespace ostrya::fronts {

/// The priced cost of a tree is its false positives and false negatives at these prices
/// plus the penalties of its leaves. A tree that costs less than the goal costs at
/// least its priced cost plus `shift`.
struct Prices {
    Weight false_positive;  // at least 1
    Weight false_negative;  // at least 1
    Cost penalty;
    Cost shift;
};

}  // namespace ostrya::fronts
