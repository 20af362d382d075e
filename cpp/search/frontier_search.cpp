#include "search/frontier_search.hpp"

#include <cassert>

namespace ostrya {

template <class Sum>
FrontierSearch<Sum>::FrontierSearch(const Problem& problem, const Options& options,
                                    StopSign& stop, Progress& progress,
                                    MemoryBudget& memory)
    : problem_(problem),
      stop_(stop),
      root_(problem, options, stop, progress, memory) {
    assert(problem.scale.penalty == 0);
}

template <class Sum>
std::vector<Result> FrontierSearch<Sum>::run() {
    const bool is_built = root_.build();
    Bracket known = root_.unsearched();
    Bracket lone = known;
    lone.lower = lone.upper;
    add(lone);
    for (std::uint32_t size = 2; is_built && size <= problem_.limits.leaves; ++size) {
        if (known.upper == 0 || stop_.is_up()) break;
        known.lower = 0;
        known = search_size(size, std::move(known));
        add(known);
    }
    if (stop_.has_stopped() && known.upper > 0) {
        known.lower = 0;  // all that is proved of the sizes not reached
        add(known);
    }
    return std::move(sizes_);
}

/// Find the best tree of so many leaves; the one `known` has fewer.
template <class Sum>
Bracket FrontierSearch<Sum>::search_size(std::uint32_t n_leaves, Bracket known) {
    const Limits limits = Limits{problem_.limits.depth, n_leaves}.canonical();
    BestPair found;
    if (!root_.open(limits, unreachable, found, known)) {
        root_.branch(limits, unreachable, found.cost, known);
    }
    return known;
}

template <class Sum>
void FrontierSearch<Sum>::add(const Bracket& best) {
    sizes_.push_back(root_.branching().conclude(best, Status::optimal));
}

template class FrontierSearch<std::int32_t>;
template class FrontierSearch<std::int64_t>;

}  // namespace ostrya
