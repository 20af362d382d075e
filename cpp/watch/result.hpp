/// What an engine hands back.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "objective/cost.hpp"
#include "objective/found_tree.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// One entry per split, in the order of the root's; costs are without the base.
struct SplitTable {
    std::vector<std::int32_t> feature;
    std::vector<double> cut;  // values up to this one answer yes
    /// Bounds of both children, and of all trees with this split that are not accounted
    /// for in the upper bound.
    std::vector<Cost> yes, no, rest;
    std::vector<Cost> yes_leaf, no_leaf;  // what each child costs as one leaf
    Cost base = 0;                        // of the whole root
};

struct Statistics {
    double seconds = 0;
    std::uint64_t work = 0;  // by both counts of watch/work_count.hpp
    std::uint64_t nanoseconds = 0;
    std::uint64_t subproblems = 0;
    std::uint64_t first_scans = 0;
    std::uint64_t pair_rows = 0;
    std::uint64_t memo_entries = 0;
    std::uint64_t memo_hits = 0;
    std::uint64_t peak_memory = 0;
    std::uint64_t n_groups = 0;
    std::uint64_t n_columns = 0;
    std::uint64_t n_thresholds = 0;

    /// Count what another thread of the search has done.
    void add_counts(const Statistics& other) {
        subproblems += other.subproblems;
        first_scans += other.first_scans;
        pair_rows += other.pair_rows;
    }
};

/// A piece of a search: its level, and the work of the search when it began and ended.
struct LoggedTask {
    std::uint32_t level = 0;
    std::uint64_t begin = 0, end = 0;
};

struct Result {
    FoundTree tree;
    Cost lower = 0;  // base included
    Cost upper = 0;
    Status status = Status::optimal;
    std::uint32_t proved_depth =
        0;  // where it is open: no tree of this depth is better
    Statistics statistics;
    std::vector<LoggedTask> tasks;     // where they were asked for
    std::optional<SplitTable> splits;  // where a search was handed over
};

}  // namespace ostrya
