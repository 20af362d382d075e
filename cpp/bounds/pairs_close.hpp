/// B7: the scan of split pairs has already seen every tree of depth two.
///
/// The scan does the work of the depth-two solver of Demirovic et al. 2022 (MurTree,
/// JMLR); that it closes nodes by counting leaves is shown in
/// docs/explanation/bounds.md.
#pragma once

#include <algorithm>

#include "bounds/look_ahead.hpp"
#include "bounds/switches.hpp"

namespace ostrya {

/// Lower bound of trees with a given first split that are not of depth two or less.
///
/// One of the children then has three leaves or more. When this reaches the best known
/// cost for every first split, the node is solved without visiting a child.
inline Cost deeper_lower(const ChildCosts& yes, const ChildCosts& no,
                         const Switch& pairs_close) {
    if (!pairs_close.is_on) return 0;
    return std::min(yes.more + no.lower(), yes.lower() + no.more) + pairs_close.slip;
}

}  // namespace ostrya
