/// B3: a child whose potential is at most the penalty is never needed.
///
/// Stronger than Hu, Rudin and Seltzer 2019 (OSDT, NeurIPS), Thm. 3.3, which counts all
/// rows of both children.
#pragma once

#include "bounds/switches.hpp"

namespace ostrya {

/// Largest potential, in weight units, that is not worth a leaf; -1 when switched off.
///
/// Hand the rows of such a child to its sibling's subtree: they lose at most their
/// potential more, and a leaf is saved. Supports only shrink further down, so the
/// split is not needed anywhere below either.
inline Weight support_floor(const CostScale& scale, const Switch& support) {
    if (!support.is_on) return -1;
    return (scale.penalty + support.slip) / scale.factor;
}

}  // namespace ostrya
