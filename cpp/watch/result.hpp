/// What an engine hands back.
#pragma once

#include <cstdint>

#include "objective/cost.hpp"
#include "objective/found_tree.hpp"
#include "watch/stop.hpp"

namespace ostrya {

struct Statistics {
    double seconds = 0;
    std::uint64_t work = 0;
    std::uint64_t subproblems = 0;
    std::uint64_t first_scans = 0;
    std::uint64_t pair_rows = 0;
    std::uint64_t memo_entries = 0;
    std::uint64_t memo_hits = 0;
    std::uint64_t peak_memory = 0;
    std::uint64_t n_groups = 0;
    std::uint64_t n_columns = 0;
    std::uint64_t n_thresholds = 0;
};

struct Result {
    FoundTree tree;
    Cost lower = 0;  // base included
    Cost upper = 0;
    Status status = Status::optimal;
    std::uint32_t proved_depth =
        0;  // where it is open: no tree of this depth is better
    Statistics statistics;
};

}  // namespace ostrya
