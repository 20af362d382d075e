/// How large a tree may be: the part of a subproblem that is not its rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ostrya {

/// Depth and leaves a tree may still use; `unlimited` where nothing binds.
struct Limits {
    static constexpr std::uint32_t unlimited =
        std::numeric_limits<std::uint32_t>::max();

    std::uint32_t depth = unlimited;
    std::uint32_t leaves = unlimited;

    bool operator==(const Limits&) const = default;

    /// Limits of a child: one level less, and at least one leaf for the sibling.
    Limits child() const {
        return {depth == unlimited ? unlimited : depth - 1,
                leaves == unlimited ? unlimited : leaves - 1};
    }

    /// The same set of trees, without a leaf limit that the depth implies.
    Limits without_idle_leaves() const {
        const bool is_idle = depth < 31 && leaves >= (1u << depth);
        return {depth, is_idle ? unlimited : leaves};
    }

    /// The same set of trees with nothing said twice: a depth that the leaf limit
    /// implies, or a leaf limit that the depth implies, is dropped.
    Limits canonical() const {
        Limits out = without_idle_leaves();
        if (out.leaves != unlimited && out.depth != unlimited &&
            out.depth >= out.leaves - 1) {
            out.depth = unlimited;
        }
        return out;
    }

    /// True when every tree these limits allow is allowed by `other`.
    bool within(const Limits& other) const {
        return depth <= other.depth && leaves <= other.leaves;
    }

    /// Depth that can really be reached under both limits.
    std::uint32_t reachable_depth() const {
        return leaves == unlimited ? depth : std::min(depth, leaves - 1);
    }
};

}  // namespace ostrya
