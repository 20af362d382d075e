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

/// The best single leaf, if time ran out while the problem was built, or if its root
/// alone would not fit the memory limit; nothing where a search is possible.
std::optional<Result> lone_leaf(const Problem& problem, std::uint64_t root_bytes,
                                StopSign& stop, Progress& progress,
                                const MemoryBudget& memory);

}  // namespace ostrya
