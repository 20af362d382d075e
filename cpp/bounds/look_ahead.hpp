/// B6: what the scan of split pairs says about a child without visiting it.
///
/// One level further than the look-ahead of Lin et al. 2020 (GOSDT, ICML), Thm. B.2.
#pragma once

#include <algorithm>

#include "bounds/switches.hpp"

namespace ostrya {

/// Costs of one child by number of leaves: exact for one and two, a lower bound for
/// three and more.
struct ChildCosts {
    Cost leaf = unreachable;
    Cost two = unreachable;
    Cost more = unreachable;

    Cost shallow() const { return std::min(leaf, two); }
    Cost lower() const { return std::min(shallow(), more); }
};

/// What a pair scan found for a child; `absent` stands for "no second split", and for
/// cells that no scan looked at.
struct ChildLosses {
    Weight leaf = 0;
    Weight two = 0;
    Weight cell = 0;
    Weight absent = 0;
};

/// Costs from losses.
///
/// A tree of three leaves has a leaf right below its first split: that cell's loss is
/// known. A tree of four or more that has none pays four penalties. So
/// more >= min(3 penalties + least cell, 4 penalties).
inline ChildCosts child_costs(const ChildLosses& losses, const CostScale& scale,
                              const Switch& look_ahead) {
    ChildCosts costs;
    costs.leaf = scale.cost(losses.leaf, 1);
    if (losses.two >= losses.absent) return costs;
    costs.two = scale.cost(losses.two, 2);
    // Where cells were not looked at, theirs is no loss that has a cost.
    // Both fit: see `most_scaled_loss`.
    const Cost three =
        losses.cell < losses.absent ? scale.cost(losses.cell, 3) : unreachable;
    costs.more =
        look_ahead.is_on ? std::min(three, 4 * scale.penalty) : 2 * scale.penalty;
    costs.more += look_ahead.slip;
    return costs;
}

}  // namespace ostrya
