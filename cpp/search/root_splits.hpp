/// The splits of a root as they are told to others and learned from them.
#pragma once

#include <stdexcept>

#include "objective/problem.hpp"
#include "search/level.hpp"
#include "search/root_part.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// Calls `tell(split)` for every split of a root whose single splits were scanned.
template <class Sum, class Tell>
void for_each_split(const Level<Sum>& root, const Tell& tell) {
    for (std::uint32_t at = 0; at < root.node.splits.width; ++at) {
        if (root.losses.seen[at] != Seen::no_split) tell(at);
    }
}

template <class Sum>
SplitTable table_of(const Level<Sum>& root, const Problem& problem) {
    SplitTable out;
    out.base = problem.scale.factor * problem.base;
    for_each_split(root, [&](std::uint32_t at) {
        const Split name = root.node.splits.names[at];
        const SplitColumn& column = problem.splits[name.column];
        out.feature.push_back(static_cast<std::int32_t>(column.feature));
        out.cut.push_back(problem.values[column.feature][column.cuts[name.cut]]);
        out.yes.push_back(root.bounds.of(at).yes);
        out.no.push_back(root.bounds.of(at).no);
        out.rest.push_back(root.bounds.rest(at));
        out.yes_leaf.push_back(problem.scale.cost(root.losses.leaf(at, true), 1));
        out.no_leaf.push_back(problem.scale.cost(root.losses.leaf(at, false), 1));
    });
    return out;
}

/// Say that all trees of depth two are accounted for elsewhere.
template <class Sum>
void account_for_pairs(Level<Sum>& root) {
    for_each_split(root, [&](std::uint32_t at) { root.losses.seen[at] = Seen::pairs; });
}

/// Have a root know what others have proved of its splits, and carry that along its
/// columns.
template <class Sum>
void learn(Level<Sum>& root, const RootPart& part) {
    std::size_t n = 0;
    for_each_split(root, [&](std::uint32_t) { ++n; });
    for (const auto* each : {&part.yes, &part.no, &part.rest}) {
        if (each->size() != n) throw std::invalid_argument("bounds of another root");
    }
    if (part.is_mine.size() != n) throw std::invalid_argument("part of another root");
    std::size_t next = 0;
    for_each_split(root, [&](std::uint32_t at) {
        root.bounds.raise_both(at, part.yes[next], part.no[next]);
        root.bounds.raise_rest(at, part.rest[next]);
        ++next;
    });
    for_each_split(root, [&](std::uint32_t at) {
        const auto& splits = root.node.splits;
        if (splits.previous[at] == none && splits.next[at] != none) {
            root.bounds.carry_all(at);
        }
    });
}

}  // namespace ostrya
