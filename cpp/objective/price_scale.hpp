/// The integers that prices are counted in: costs, finer or coarser by a power of two.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

#include "objective/problem.hpp"

namespace ostrya {

/// What a row group pays, or is worth to a box, in units of the scale.
using Price = std::int32_t;

/// Prices are fractions of a row's weight, so the grid of costs is too coarse for them
/// where weights are small, and finer than needed where they are large. All costs are
/// rounded down to units: what is proved about the rounded costs holds for the true
/// ones. Sums over all rows stay below 2^30 in size.
struct PriceScale {
    int shift = 0;  // a cost of 1 is 2^shift units
    Price penalty = 0;

    explicit PriceScale(const Problem& problem) {
        // At most 2^60: `most_scaled_loss`. So doubling it below fits as well, and
        // shifts are between -34 and 30.
        const Cost most = problem.scale.factor * problem.potential;
        while (shift < 30 && most << (shift + 1) <= room) ++shift;
        while (shift <= 0 && most >> -shift > room) --shift;
        penalty = static_cast<Price>(std::min(units(problem.scale.penalty), room));
    }

    /// A cost in units, rounded down, or twice `room` where it is more: a tree that is
    /// of interest costs at most what all rows can lose, and a penalty.
    Cost units(Cost cost) const {
        assert(cost >= 0);
        const Cost most = shift >= 0 ? 2 * room >> shift : 2 * room << -shift;
        if (cost > 0 && cost >= most) return 2 * room;
        return shift >= 0 ? cost << shift : cost >> -shift;
    }

    /// The least cost that is no less than a sum of prices, and not below zero, as no
    /// cost is. Feasible prices of any rows sum to at most 2^27 units, so the shift has
    /// room; those of a damaged checkpoint may be anything.
    Cost cost_of(std::int64_t sum) const {
        if (sum <= 0) return 0;
        if (shift < 0) {
            constexpr Cost most = std::numeric_limits<Cost>::max();
            return sum > most >> -shift ? most : sum << -shift;
        }
        const std::int64_t below = sum >> shift;
        return below + (below << shift != sum);
    }

private:
    static constexpr Cost room = Cost{1} << 26;  // for what all rows can lose
};

}  // namespace ostrya
