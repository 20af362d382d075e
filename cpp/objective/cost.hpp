/// The exact integer costs that every tree and every bound is measured in.
#pragma once

#include <cstdint>
#include <limits>

namespace ostrya {

/// Cost of a tree on the integer grid: scale * loss + penalty * leaves.
using Cost = std::int64_t;

/// Loss in weight units, before the scale of the grid is applied.
using Weight = std::int64_t;

/// Larger than any cost a tree can have; sums of two still fit.
inline constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 4;

/// The grid on which loss and leaf penalty are both integers.
///
/// Losses are counted in whole weight units and multiplied by `scale` only when they
/// meet the penalty. Kernels therefore never see the scale: they fit in narrow lanes
/// however fine the penalty is.
struct Grid {
    Cost scale = 1;
    Cost penalty = 0;

    Cost of(Weight loss, Cost leaves) const { return scale * loss + penalty * leaves; }
};

}  // namespace ostrya
