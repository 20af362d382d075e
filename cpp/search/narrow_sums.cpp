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
    // Impurities add up all labels of a side: under costs of its own, a row may gain
    // nearly its potential by each of them. A total is 2^60 at most
    // (`most_scaled_loss`), but there may be many labels.
    __int128 all_labels = 0;
    for (std::uint32_t label = 0; label < problem.layout.n_labels; ++label) {
        all_labels += totals[problem.layout.mass_slot() + label];
    }
    // Kernels add two losses, and `unreachable_loss` must stay above any of them.
    return std::max<__int128>(largest, all_labels) < unreachable_loss<std::int32_t>;
}

}  // namespace ostrya
