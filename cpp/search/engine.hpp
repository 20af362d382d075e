/// The entry of the exact engine: a problem and options in, a proved tree out.
#pragma once

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Whether all sums of the problem fit 32 bits, with room for what kernels add.
bool fits_narrow_sums(const Problem& problem);

/// Search in the narrowest arithmetic that holds the problem's sums exactly.
Result search(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress, MemoryBudget& memory);

}  // namespace ostrya
