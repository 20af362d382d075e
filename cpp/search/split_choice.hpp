/// Which split of a node is explored next, and what all of them together prove.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/level.hpp"

namespace ostrya {

/// The next split to explore, its bound, and how much more than the goal to prove.
struct SplitChoice {
    std::uint32_t split;
    Cost rest;
    Cost slack;
};

/// The open split with the least bound; of a stretch of cuts that share it, the middle:
/// what is proved there reaches furthest to both sides. No split, and the goal as
/// bound, where none is open.
template <class Sum>
SplitChoice choose_split(const Level<Sum>& level, const CostScale& scale, Cost goal) {
    const Node<Sum>& node = level.node;
    SplitChoice choice{none, goal, 0};
    std::uint32_t longest = 0;
    for (std::uint32_t at = 0; at < node.splits.width; ++at) {
        if (level.losses.seen[at] == Seen::no_split) continue;
        const Cost rest = level.bounds.rest(at);
        if (rest > choice.rest || rest >= goal) continue;
        std::uint32_t end = at + 1;
        if (!node.is_bit(at)) {
            while (node.splits.next[end - 1] == end && level.bounds.rest(end) == rest) {
                ++end;
            }
        }
        if (rest < choice.rest || end - at > longest) {
            longest = end - at;
            choice = {at + longest / 2, rest, 0};
        }
        at = end - 1;
    }
    if (longest > 1) {
        // Proving this much more settles the whole stretch (B5); within reason.
        const std::uint32_t first = choice.split - longest / 2;
        const Weight half =
            level.bounds.potential(choice.split) - level.bounds.potential(first);
        choice.slack = std::min(scale.factor * half, goal / 8);
    }
    return choice;
}

/// The least that trees not accounted for in the upper bound can cost: deeper ones, and
/// those of depth two, the best of which costs `shallow`.
template <class Sum>
Cost least_rest(const Level<Sum>& level, Cost shallow) {
    Cost least = shallow;
    for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
        if (level.losses.seen[split] != Seen::no_split) {
            least = std::min(least, level.bounds.rest(split));
        }
    }
    return least;
}

}  // namespace ostrya
