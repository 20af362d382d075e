/// What is handed back where no search is possible.
#pragma once

#include <optional>

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// What the root takes, nearly, where every cut is counted.
std::uint64_t root_bytes(const Problem& problem);

/// The best single leaf, if the search is stopped before it began, if the problem was
/// left unfinished for lack of memory, or if its root alone would not fit; nothing
/// where a search is possible.
std::optional<Result> lone_leaf(const Problem& problem, std::uint64_t root_bytes,
                                StopSign& stop, Progress& progress,
                                const MemoryBudget& memory);

}  // namespace ostrya
