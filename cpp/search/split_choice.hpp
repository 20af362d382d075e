/// Which split of a node is explored next, and what all of them together prove.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/level.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

/// The next split to explore, its bound, and how much more than the goal to prove.
struct SplitChoice {
    std::uint32_t split;
    Cost rest;
    Cost slack;
};

/// The open split with the least bound; of a stretch of cuts that share it, the middle:
/// what is proved there reaches furthest to both sides. No split, and the goal as
/// bound, where none is open. Those that `is_left_out` are passed over.
template <class Sum, class IsLeftOut>
SplitChoice choose_split(const Level<Sum>& level, const CostScale& scale,
                         const Tuning::Search& tuning, Cost goal,
                         const IsLeftOut& is_left_out) {
    const Node<Sum>& node = level.node;
    SplitChoice choice{none, goal, 0};
    std::uint32_t longest = 0;
    for (std::uint32_t at = 0; at < node.splits.width; ++at) {
        if (level.losses.seen[at] == Seen::no_split) continue;
        const Cost rest = level.bounds.rest(at);
        if (rest > choice.rest || rest >= goal || is_left_out(at)) continue;
        std::uint32_t end = at + 1;
        if (!node.is_bit(at)) {
            while (node.splits.next[end - 1] == end && level.bounds.rest(end) == rest &&
                   !is_left_out(end)) {
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
            level.bounds.of(choice.split).potential - level.bounds.of(first).potential;
        choice.slack = std::min(scale.factor * half, goal / tuning.most_slack_part);
    }
    return choice;
}

template <class Sum>
SplitChoice choose_split(const Level<Sum>& level, const CostScale& scale,
                         const Tuning::Search& tuning, Cost goal) {
    return choose_split(level, scale, tuning, goal,
                        [](std::uint32_t) { return false; });
}

/// How far to raise the bound of a split of the root before turning to the next one.
///
/// A search that is soon over goes for the goal at once. A longer one proceeds by
/// halves of the gap, so that the root's lower bound
/// rises all the while: what is proved for a half stays in the memo, and near the end
/// the rest is done in one go.
inline Cost cap_at_root(const SplitChoice& choice, const CostScale& scale, Cost goal,
                        const Tuning::Search& tuning, std::uint64_t n_subproblems) {
    if (n_subproblems < tuning.subproblems_before_halving) return goal;
    const Cost half = (goal - choice.rest) / 2;
    return half <= scale.penalty || half <= goal / tuning.last_step_part
               ? goal
               : choice.rest + half;
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
