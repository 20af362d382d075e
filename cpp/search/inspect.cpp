/// What the bounds say about the root's splits, for tests of the bounds, and how long
/// its pairs take, for benchmarks.
#include <algorithm>

#include "search/engine.hpp"

namespace ostrya {

/// Scan the pairs of a split that the scan found no need to look at.
template <class Sum>
void Solver<Sum>::scan_one(LevelT& level, std::uint32_t split) {
    counter_.count_pairs(level.node, split);
    const ChildBest<Sum> best = builder_.kernels().pair_bounds(
        counter_.row(level.node, split, 0, level.node.width));
    level.yes_two[split] = best.yes_two;
    level.no_two[split] = best.no_two;
    level.yes_cell[split] = best.yes_cell;
    level.no_cell[split] = best.no_cell;
    Found ignored;
    note_pairs(level, split, problem_.limits, ignored);
}

template <class Sum>
std::vector<SplitReport> Solver<Sum>::inspect() {
    LevelT& root = level_at(0);
    builder_.build_root(root.node);
    Bracket best;
    best.upper = leaf_cost(root.node);
    scan_singles(root, best);
    root.reset_pairs();
    if (problem_.limits.reachable_depth() >= 2) {
        scan_pairs(root, problem_.limits, unreachable);
    }
    std::vector<SplitReport> out;
    for (std::uint32_t split = 0; split < root.node.width; ++split) {
        if (root.seen[split] == Seen::no_split) continue;
        if (root.seen[split] == Seen::single) scan_one(root, split);
        const ChildCosts yes =
            costs_of(root.yes_losses(split), problem_.limits.child());
        const ChildCosts no = costs_of(root.no_losses(split), problem_.limits.child());
        out.push_back({root.node.splits[split], yes, no, root.bounds.yes(split),
                       root.bounds.no(split), root.bounds.rest(split)});
    }
    return out;
}

template <class Sum>
double Solver<Sum>::time_pairs(int repeats) {
    LevelT& root = level_at(0);
    builder_.build_root(root.node);
    double least = 1e9;
    for (int n = 0; n < repeats; ++n) {
        Bracket best;
        scan_singles(root, best);
        const double start = stop_.seconds();
        scan_pairs(root, {2, Limits::unlimited}, unreachable);
        least = std::min(least, stop_.seconds() - start);
    }
    return least;
}

template double Solver<std::int32_t>::time_pairs(int);
template double Solver<std::int64_t>::time_pairs(int);
template std::vector<SplitReport> Solver<std::int32_t>::inspect();
template std::vector<SplitReport> Solver<std::int64_t>::inspect();

}  // namespace ostrya
