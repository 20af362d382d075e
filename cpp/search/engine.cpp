#include "search/engine.hpp"

#include <algorithm>

#include "search/lone_leaf.hpp"
#include "search/root_search.hpp"

namespace ostrya {

bool fits_narrow_sums(const Problem& problem) {
    const std::size_t width = problem.layout.size();
    std::vector<Weight> totals(width);
    for (std::size_t at = 0; at < problem.sums.size(); ++at) {
        totals[at % width] += problem.sums[at];
    }
    Weight largest = problem.potential;
    for (const Weight total : totals) largest = std::max(largest, total);
    // Kernels add two losses, and `unreachable_loss` must stay above any of them.
    return largest < unreachable_loss<std::int32_t>;
}

Result search(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress, MemoryBudget& memory) {
    if (auto leaf = lone_leaf(problem, root_bytes(problem), stop, progress, memory)) {
        return *leaf;
    }
    if (fits_narrow_sums(problem)) {
        return RootSearch<std::int32_t>(problem, options, stop, progress, memory).run();
    }
    return RootSearch<std::int64_t>(problem, options, stop, progress, memory).run();
}

}  // namespace ostrya
