#include "search/inspect.hpp"

#include <algorithm>

#include "search/pair_scan.hpp"

namespace ostrya {
namespace {

/// A root and what scans it.
template <class Sum>
struct Root {
    Root(const Problem& problem, const Options& options)
        : switches(usable_switches(options.switches, problem.min_samples_leaf)),
          builder(problem, memory),
          facts(memory, switches.depth_transfer),
          scan({problem, options, stop, progress, memory, facts, statistics}, switches,
               builder),
          level(problem.scale, switches, memory) {
        builder.build_root(level.node, [] { return false; });
    }

    MemoryBudget memory;
    Switches switches;
    NodeBuilder<Sum> builder;
    SharedFacts facts;
    Statistics statistics;
    Progress progress;
    StopSign stop{{}};
    PairScan<Sum> scan;
    Level<Sum> level;
    ScanEffort unbounded;
};

}  // namespace

std::vector<SplitReport> inspect_root(const Problem& problem, const Options& options) {
    Root<std::int64_t> root(problem, options);
    Level<std::int64_t>& level = root.level;
    Bracket best;
    root.scan.scan_singles(level, best);
    level.losses.reset_pairs();
    if (problem.limits.reachable_depth() >= 2) {
        root.scan.scan_pairs(level, problem.limits, unreachable, root.unbounded);
    }
    std::vector<SplitReport> out;
    const Limits below = problem.limits.child();
    for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
        if (level.losses.seen[split] == Seen::no_split) continue;
        if (level.losses.seen[split] == Seen::single) {
            root.scan.scan_split(level, split, problem.limits);
        }
        out.push_back({level.node.splits.names[split],
                       root.scan.costs_of(level.losses.of_child(split, true), below),
                       root.scan.costs_of(level.losses.of_child(split, false), below),
                       level.bounds.of(split).yes, level.bounds.of(split).no,
                       level.bounds.rest(split)});
    }
    return out;
}

double time_root_pairs(const Problem& problem, const Options& options, int repeats) {
    Root<std::int32_t> root(problem, options);
    double least = 1e9;
    for (int n = 0; n < repeats; ++n) {
        Bracket best;
        root.scan.scan_singles(root.level, best);
        const double start = root.stop.watch.seconds();
        root.scan.scan_pairs(root.level, {2, Limits::unlimited}, unreachable,
                             root.unbounded);
        least = std::min(least, root.stop.watch.seconds() - start);
    }
    return least;
}

}  // namespace ostrya
