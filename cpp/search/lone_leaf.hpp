/// What is handed back where no search is possible.
#pragma once

#include <functional>
#include <optional>

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// What the root takes, nearly, where every cut is counted.
std::uint64_t root_bytes(const Problem& problem);

/// What an earlier search of the same problem has proved, and its tree.
struct KnownResult {
    FoundTree tree;
    Cost lower = 0, upper = 0;  // base included
    std::uint32_t n_leaves = 1;
    std::uint32_t proved_depth = 0;
};
/// Reads such a result, if there is one.
using ReadKnown = std::function<std::optional<KnownResult>()>;

/// The best single leaf, if the search is stopped before it began, if the problem was
/// left unfinished for lack of memory, or if its root alone would not fit; nothing
/// where a search is possible. What is known from an earlier search comes first, where
/// the problem is complete.
std::optional<Result> lone_leaf(const Problem& problem, std::uint64_t root_bytes,
                                StopSign& stop, Progress& progress,
                                const MemoryBudget& memory,
                                const ReadKnown& read_known = {});

}  // namespace ostrya
