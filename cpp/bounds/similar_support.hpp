/// B5: a few rows less cannot cost much less.
///
/// Hu, Rudin and Seltzer 2019 (OSDT, NeurIPS), Thm. F.1; Lin et al. 2020 (GOSDT, ICML),
/// Thm. B.10.
#pragma once

#include "bounds/switches.hpp"

namespace ostrya {

/// Lower bound of a subset, from one of a set that has rows of potential
/// `difference` more.
///
/// The subset's best tree is a tree of the larger set; the added rows lose at most
/// their potential in it. (Not with min_samples_leaf > 1 together with B4: see there.)
inline Cost similar_lower(Cost lower, Weight difference, const CostScale& scale,
                          const Switch& similar_support) {
    if (!similar_support.is_on) return 0;
    return lower - scale.factor * difference + similar_support.slip;
}

}  // namespace ostrya
