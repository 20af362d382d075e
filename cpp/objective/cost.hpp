/// The exact integer costs that every tree and every bound is measured in.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

namespace ostrya {

/// Cost of a tree in integers: factor * loss + penalty * leaves.
using Cost = std::int64_t;

/// Loss in weight units, before the factor of the scale is applied.
using Weight = std::int64_t;

/// Larger than any cost a tree can have, about 2^61; sums of two still fit.
inline constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 4;

/// What callers promise of every problem (`grid.py`), and `Request::is_on_grid` checks
/// in debug builds: the scaled loss of all rows under their dearest labels is at most
/// this, and so is a penalty. Every loss of a node is one of a part of the rows. Hence
/// a factor times a loss is at most 2^60, four penalties are at most 2^62, and the sum
/// of the costs of two children, each as one leaf, is at most 2^62. A subtree that is
/// kept costs no more than its rows as one leaf, so that costs of subtrees are no
/// larger.
inline constexpr Cost most_scaled_loss = Cost{1} << 60;

/// The scale on which loss and leaf penalty are both integers.
///
/// Losses are counted in whole weight units and multiplied by `factor` only when they
/// meet the penalty. Kernels therefore never see the factor: they fit in narrow lanes
/// however fine the penalty is.
struct CostScale {
    Cost factor = 1;
    Cost penalty = 0;

    Cost cost(Weight loss, Cost leaves) const {
        assert(holds(loss, leaves));
        return factor * loss + penalty * leaves;
    }

private:
    /// True when the cost fits; counted in 128 bits, where nothing overflows.
    bool holds(Weight loss, Cost leaves) const {
        const __int128 cost = static_cast<__int128>(factor) * loss +
                              static_cast<__int128>(penalty) * leaves;
        return -unreachable <= cost && cost <= 2 * static_cast<__int128>(unreachable);
    }
};

}  // namespace ostrya
