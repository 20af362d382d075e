/// The entry of the exact engine: a problem and options in, a proved tree out.
#pragma once

#include <vector>

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Search the problem of a request in the narrowest arithmetic that holds its sums
/// exactly. Where it is too large for the time or the memory there is, the tree is a
/// greedy one at least.
Result search(const Request& request, const Problem& problem, const Options& options,
              StopSign& stop, Progress& progress, MemoryBudget& memory);

/// The same for every number of leaves that the limits allow, from the first on. What
/// the last result says holds for all that would follow.
std::vector<Result> search_sizes(const Request& request, const Problem& problem,
                                 const Options& options, FirstSize first,
                                 StopSign& stop, Progress& progress,
                                 MemoryBudget& memory);

}  // namespace ostrya
