/// The door of the engine: a problem and options in, a proved tree out.
#pragma once

#include "search/options.hpp"
#include "search/progress.hpp"
#include "search/solver.hpp"
#include "search/stop.hpp"

namespace ostrya {

/// Whether all sums of the problem fit 32 bits, with room for what kernels add.
bool fits_narrow_sums(const Problem& problem);

/// Search in the narrowest arithmetic that holds the problem's sums exactly.
Result search(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress);

/// The threshold of each split of a found tree, as features and numbers.
struct Thresholds {
    std::vector<std::int32_t> feature;  // -1 at leaves
    std::vector<double> threshold;      // not a number at leaves
};

/// Thresholds half-way between the values of the training rows they separate.
Thresholds thresholds_of(const FoundTree& tree, const Problem& problem,
                         const Request& request);

}  // namespace ostrya
