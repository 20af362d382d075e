/// The entry of the Top-k search.
#pragma once

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// Search the trees of the options' Top-k, over a problem that ranks its splits.
Result search_top_k(const Problem& problem, const Options& options, StopSign& stop,
                    Progress& progress, MemoryBudget& memory);

}  // namespace ostrya
