#include "search/frontier_search.hpp"

#include <algorithm>
#include <cassert>

namespace ostrya {

template <class Sum>
FrontierSearch<Sum>::FrontierSearch(const Problem& problem, const Options& options,
                                    StopSign& stop, Progress& progress,
                                    MemoryBudget& memory)
    : problem_(problem), stop_(stop), root_(problem, options, stop, progress, memory) {
    assert(problem.scale.penalty == 0);
}

template <class Sum>
std::vector<Result> FrontierSearch<Sum>::run() {
    const bool is_built = root_.build();
    Bracket known = root_.unsearched();
    Bracket leaf = known;
    leaf.lower = leaf.upper;
    add(leaf);
    for (std::uint32_t size = 2; is_built && size <= problem_.limits.leaves; ++size) {
        known.lower = largest_.lower;
        if (known.is_solved() || stop_.is_up()) break;
        const Cost before = known.upper;
        known = search_size(size, std::move(known));
        add(known);
        if (known.upper == before && !has_largest_) search_largest(known);
    }
    if (stop_.has_stopped()) bracket_the_rest(std::move(known));
    return std::move(sizes_);
}

/// Find the best tree of so many leaves; the one `known` has fewer.
template <class Sum>
Bracket FrontierSearch<Sum>::search_size(std::uint32_t n_leaves, Bracket known) {
    const std::uint32_t most = problem_.limits.leaves;
    if (has_largest_ && n_leaves == most) return largest_;
    const Limits limits = Limits{problem_.limits.depth, n_leaves}.canonical();
    BestPair found;
    if (root_.open(limits, unreachable, found, known)) return known;
    if (largest_.upper == unreachable && found.split != none) {
        root_.first_tree().grow(found.split, {problem_.limits.depth, most}, false,
                                largest_);
    }
    root_.branch(limits, unreachable, found.cost, known);
    return known;
}

template <class Sum>
void FrontierSearch<Sum>::search_largest(const Bracket& known) {
    const std::uint32_t most = problem_.limits.leaves;
    const Limits limits{problem_.limits.depth, most};
    if (limits.without_idle_leaves().leaves != Limits::unlimited) return;
    Bracket start = known;
    start.lower = 0;
    start.lower_to(largest_.upper, largest_.tree);
    largest_ = search_size(most, std::move(start));
    has_largest_ = true;
}

/// Say what holds of the sizes that were not reached: the lower bound of the largest
/// one, and its best tree where that has few enough leaves.
template <class Sum>
void FrontierSearch<Sum>::bracket_the_rest(Bracket known) {
    known.lower = std::min(largest_.lower, known.upper);
    if (largest_.upper < known.upper) {
        const std::uint32_t n_leaves = root_.branching().n_leaves(largest_);
        while (sizes_.size() + 1 < n_leaves) add(known);
        known.lower_to(largest_.upper, largest_.tree);
    }
    if (sizes_.size() < problem_.limits.leaves) add(known);
}

template <class Sum>
void FrontierSearch<Sum>::add(const Bracket& best) {
    sizes_.push_back(root_.branching().conclude(best, Status::optimal));
}

template class FrontierSearch<std::int32_t>;
template class FrontierSearch<std::int64_t>;

}  // namespace ostrya
