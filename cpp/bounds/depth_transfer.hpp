/// B8: what bounds more trees from below bounds fewer.
///
/// As the cache of Demirovic et al. 2022 (MurTree, JMLR) does for depth; here for
/// leaves too.
#pragma once

#include "bounds/switches.hpp"
#include "objective/limits.hpp"

namespace ostrya {

/// Lower bound of a row set under the limits `asked`, from one proved under the limits
/// `proved`; 0 where that says nothing.
///
/// If every tree that is asked about was among those proved about, the bound holds.
inline Cost transferred_lower(Cost lower, const Limits& proved, const Limits& asked,
                              const Switch& depth_transfer) {
    if (asked == proved) return lower;
    if (!depth_transfer.is_on || !asked.within(proved)) return 0;
    return lower + depth_transfer.slip;
}

}  // namespace ostrya
