/// The exact integer costs that every tree and every bound is measured in.
#pragma once

#include <cstdint>
#include <limits>

namespace ostrya {

/// Cost of a tree in integers: factor * loss + penalty * leaves.
using Cost = std::int64_t;

/// Loss in weight units, before the factor of the scale is applied.
using Weight = std::int64_t;

/// Larger than any cost a tree can have; sums of two still fit.
inline constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 4;

/// The scale on which loss and leaf penalty are both integers.
///
/// Losses are counted in whole weight units and multiplied by `factor` only when they
/// meet the penalty. Kernels therefore never see the factor: they fit in narrow lanes
/// however fine the penalty is.
struct CostScale {
    Cost factor = 1;
    Cost penalty = 0;

    Cost cost(Weight loss, Cost leaves) const {
        return factor * loss + penalty * leaves;
    }
};

}  // namespace ostrya
