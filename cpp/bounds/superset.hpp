/// B4: more rows never cost less.
///
/// Along a column it is the sub-interval pruning of Brita, van der Linden and Demirovic
/// 2025 (ConTree, AAAI).
#pragma once

#include "bounds/switches.hpp"

namespace ostrya {

/// Lower bound of a set of rows, from one of a subset under the same limits.
///
/// The best tree of the superset, restricted to the subset, is a tree of the subset
/// and loses no more on fewer rows. (With min_samples_leaf > 1 the restricted tree may
/// be illegal: the search then leaves this bound out.)
inline Cost superset_lower(Cost subset_lower, const Switch& superset) {
    return superset.is_on ? subset_lower + superset.slip : 0;
}

}  // namespace ostrya
