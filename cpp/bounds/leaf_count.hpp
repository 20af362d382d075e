/// B1: a tree with h leaves costs at least h penalties above the base.
///
/// Hu, Rudin and Seltzer 2019 (OSDT, NeurIPS), Thm. C.1; Lin et al. 2020 (GOSDT, ICML),
/// Thm. B.4.
#pragma once

#include <algorithm>

#include "bounds/switches.hpp"
#include "objective/limits.hpp"

namespace ostrya {

/// The most leaves a tree of cost below `budget` can have.
///
/// Costs are counted above the unavoidable base, so each leaf costs at least the
/// penalty: h * penalty < budget.
inline std::uint32_t most_leaves_under(Cost budget, const CostScale& scale,
                                       const Switch& leaf_count) {
    if (!leaf_count.is_on || scale.penalty == 0) return Limits::unlimited;
    const Cost most = std::max<Cost>(budget - 1, 0) / scale.penalty - leaf_count.slip;
    return static_cast<std::uint32_t>(std::clamp<Cost>(most, 1, Limits::unlimited - 1));
}

/// The same trees in fewer words: limits that no tree cheaper than the leaf can reach
/// are dropped, so that more subproblems share a memo entry.
inline Limits drop_idle_limits(Limits limits, Cost leaf_cost, const CostScale& scale,
                               const Switch& leaf_count) {
    const std::uint32_t most = most_leaves_under(leaf_cost, scale, leaf_count);
    if (most != Limits::unlimited) {
        if (limits.depth != Limits::unlimited && limits.depth + 1 >= most) {
            limits.depth = Limits::unlimited;
        }
        if (limits.leaves >= most) limits.leaves = Limits::unlimited;
    }
    return limits.canonical();
}

}  // namespace ostrya
