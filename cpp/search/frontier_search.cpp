#include "search/frontier_search.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
FrontierSearch<Sum>::FrontierSearch(const SearchContext& context)
    : problem_(context.problem),
      stop_(context.stop),
      budget_(context.options.upper
                  ? *context.options.upper - problem_.scale.factor * problem_.base
                  : unreachable),
      root_(context) {}

template <class Sum>
std::vector<Result> FrontierSearch<Sum>::run(FirstSize first) {
    const CostScale& scale = problem_.scale;
    const bool is_built = root_.build();
    Bracket known = root_.unsearched();
    std::uint32_t size = first.n_leaves;
    Weight loss = first.loss - problem_.base;
    if (size == 1) {
        Bracket leaf = known;
        leaf.lower = leaf.upper;
        add(leaf);
        loss = problem_.one_leaf - problem_.base;
        ++size;
    }
    for (; is_built && size <= problem_.limits.leaves && loss > 0; ++size) {
        known.lower = largest_.lower;
        if (known.is_solved() || stop_.is_up()) break;
        const Cost before = std::min(budget_, known.upper);
        known = search_size(size, std::move(known));
        add(known);
        if (stop_.has_stopped()) {
            ++size;
            break;
        }
        if (known.upper < before) {
            loss = (known.upper - size * scale.penalty) / scale.factor;
            continue;
        }
        sizes_.back().status = Status::upper_bound;
        // Whole losses below that of the size before cost less than all smaller trees.
        if (before - size * scale.penalty <= scale.factor * (loss - 1)) break;
        if (!has_largest_) search_largest(known);
    }
    if (stop_.has_stopped()) bracket_the_rest(size, std::move(known));
    return std::move(sizes_);
}

/// Find the best tree of so many leaves; the one `known` has fewer.
template <class Sum>
Bracket FrontierSearch<Sum>::search_size(std::uint32_t n_leaves, Bracket known) {
    const std::uint32_t most = problem_.limits.leaves;
    if (has_largest_ && n_leaves == most) return largest_;
    const Limits limits = Limits{problem_.limits.depth, n_leaves}.canonical();
    BestPair found;
    if (root_.open(limits, budget_, found, known)) return known;
    if (root_.growth().below_pair(found, limits, budget_, known)) return known;
    if (largest_.upper == unreachable && found.split != none) {
        root_.growth().first_tree().grow(found.split, {problem_.limits.depth, most}, {},
                                         largest_);
    }
    root_.branch(limits, budget_, found.cost, known);
    return known;
}

template <class Sum>
void FrontierSearch<Sum>::search_largest(const Bracket& known) {
    const std::uint32_t most = problem_.limits.leaves;
    const Limits limits{problem_.limits.depth, most};
    if (limits.without_idle_leaves().leaves != Limits::unlimited) return;
    if (problem_.scale.penalty > 0) return;
    Bracket start = known;
    start.lower = 0;
    start.lower_to(largest_.upper, largest_.tree);
    largest_ = search_size(most, std::move(start));
    has_largest_ = true;
}

/// Say what holds of the sizes that were not reached: the lower bound of the largest
/// one, and its best tree where that has few enough leaves. No penalties of leaves are
/// added: with a penalty, cuts that pay for no leaf are dropped (B3), so the base holds
/// for the cheapest tree and not for each.
template <class Sum>
void FrontierSearch<Sum>::bracket_the_rest(std::uint32_t next, Bracket known) {
    const auto add_next = [&] {
        known.lower = std::min(largest_.lower, known.upper);
        add(known);
        ++next;
    };
    if (largest_.upper < known.upper) {
        const std::uint32_t n_leaves = root_.branching().n_leaves(largest_);
        while (next < n_leaves) add_next();
        known.lower_to(largest_.upper, largest_.tree);
    }
    if (next <= problem_.limits.leaves) add_next();
}

template <class Sum>
void FrontierSearch<Sum>::add(const Bracket& best) {
    sizes_.push_back(root_.branching().conclude(best, Status::optimal));
}

template class FrontierSearch<std::int32_t>;
template class FrontierSearch<std::int64_t>;

}  // namespace ostrya
