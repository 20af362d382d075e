#include "fronts/least_cost.hpp"

namespace ostrya::fronts {

/// The splits of a subproblem, those first that may be cheapest.
void LeastCost::list(std::uint32_t index, Vector<Candidate>& candidates) {
    const Subproblem parent = subproblems_.at(index);
    const auto [first, last] = leaves_.splits(parent.leaf);
    candidates.reserve(last - first);
    for (std::uint32_t at = first; at < last; ++at) {
        if (stop_.is_up_before(64)) return;
        const leaf_sets::LeafSplit split = leaves_.split(at);
        const std::uint32_t yes = subproblems_.find_or_add(split.yes, parent.depth - 1);
        const std::uint32_t no = subproblems_.find_or_add(split.no, parent.depth - 1);
        const Cost lower = subproblems_.at(yes).lower + subproblems_.at(no).lower;
        candidates.push_back({lower, yes, no});
    }
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.lower < b.lower; });
}

Cost LeastCost::of(std::uint32_t index, Cost budget) {
    const Subproblem asked = subproblems_.at(index);
    if (asked.is_settled || asked.lower > budget || stop_.is_up()) return asked.lower;
    if (leaves_.memory.is_exceeded() || n_levels_ >= most_front_levels) {
        stop_.memory_is_out();
        return asked.lower;
    }
    ++n_levels_;
    Vector<Candidate> candidates(leaves_.memory);
    list(index, candidates);
    const Cost as_leaf = leaves_.at(asked.leaf).loss + penalty_;
    Cost best = as_leaf;             // of the trees met
    Cost passed_over = unreachable;  // lower bound of the others
    for (const Candidate& candidate : candidates) {
        const Cost wanted = std::min(budget, best - 1);
        Cost yes = subproblems_.at(candidate.yes).lower;
        Cost no = subproblems_.at(candidate.no).lower;
        if (yes + no <= wanted) yes = of(candidate.yes, wanted - no);
        if (yes + no <= wanted) no = of(candidate.no, wanted - yes);
        if (yes + no <= wanted && !stop_.reason()) {
            best = yes + no;
        } else {
            passed_over = std::min(passed_over, yes + no);
        }
        if (stop_.reason()) break;
    }
    --n_levels_;
    Subproblem& known = subproblems_.at(index);
    if (stop_.reason()) return known.lower;
    known.is_settled = best <= budget;
    known.lower = std::max(known.lower, std::min(best, passed_over));
    return known.lower;
}

}  // namespace ostrya::fronts
