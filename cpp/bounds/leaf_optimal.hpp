/// B2: a leaf that loses no more than one penalty above the base is optimal.
///
/// Lin et al. 2020 (GOSDT, ICML), Thm. B.6, with equivalent points (Thm. B.9).
#pragma once

#include "bounds/switches.hpp"

namespace ostrya {

/// Any split pays for a second leaf; it cannot win back more than the leaf's loss.
/// Ties go to the leaf, the smaller tree.
inline bool leaf_is_optimal(Weight loss, const CostScale& scale,
                            const Switch& leaf_optimal) {
    if (!leaf_optimal.is_on) return loss == 0;
    return scale.factor * loss <= scale.penalty + leaf_optimal.slip;
}

}  // namespace ostrya
