/// What the bounds say about the root's splits, for tests of the bounds.
#include "search/engine.hpp"

namespace ostrya {

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
        const ChildCosts yes =
            costs_of(root.yes_losses(split), problem_.limits.child());
        const ChildCosts no = costs_of(root.no_losses(split), problem_.limits.child());
        out.push_back({root.node.splits[split], yes, no, root.bounds.yes(split),
                       root.bounds.no(split), root.bounds.rest(split)});
    }
    return out;
}

template std::vector<SplitReport> Solver<std::int32_t>::inspect();
template std::vector<SplitReport> Solver<std::int64_t>::inspect();

}  // namespace ostrya
