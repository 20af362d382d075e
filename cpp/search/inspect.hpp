/// What the bounds say about the root's splits, for tests of the bounds, and how long
/// its pairs take, for benchmarks.
#pragma once

#include <vector>

#include "bounds/look_ahead.hpp"
#include "data/columns.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"

namespace ostrya {

/// What is known about a split of the root without visiting its children.
struct SplitReport {
    Split split;
    ChildCosts yes, no;
    Cost yes_lower = 0;
    Cost no_lower = 0;
    Cost rest = 0;  // of trees with this first split that are deeper than two
};

/// Bounds of the root's splits after both scans, without any search.
std::vector<SplitReport> inspect_root(const Problem& problem, const Options& options);

/// Least seconds, of several tries, that all pairs of splits of the root take.
double time_root_pairs(const Problem& problem, const Options& options, int repeats);

}  // namespace ostrya
