#include "search/narrow_sums.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"

namespace ostrya {

bool fits_narrow_sums(const Problem& problem) {
    const std::size_t width = problem.layout.size();
    Vector<Weight> totals(width, 0, problem.sums.get_allocator());
    for (std::size_t at = 0; at < problem.sums.size(); ++at) {
        totals[at % width] += problem.sums[at];
    }
    Weight largest = problem.potential;
    for (const Weight total : totals) largest = std::max(largest, total);
    // Kernels add two losses, and `unreachable_loss` must stay above any of them.
    return largest < unreachable_loss<std::int32_t>;
}

}  // namespace ostrya
