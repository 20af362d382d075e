#include "search/engine.hpp"

#include <algorithm>

namespace ostrya {

Result search(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress) {
    Weight largest = problem.potential;
    if (problem.layout.counts_rows) {
        const std::size_t width = problem.layout.size();
        Weight count = 0;
        for (std::size_t at = problem.layout.count_slot(); at < problem.sums.size();
             at += width) {
            count += problem.sums[at];
        }
        largest = std::max(largest, count);
    }
    // Kernels add two losses, and `no_loss` must stay above any of them.
    if (largest < no_loss<std::int32_t>) {
        return Solver<std::int32_t>(problem, options, stop, progress).run();
    }
    return Solver<std::int64_t>(problem, options, stop, progress).run();
}

}  // namespace ostrya
