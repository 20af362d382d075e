/// What a search hands back, and what it took.
#pragma once

#include <cstdint>

#include "objective/cost.hpp"
#include "objective/problem.hpp"
#include "search/found_tree.hpp"
#include "search/memo.hpp"
#include "search/stop.hpp"

namespace ostrya {

struct Statistics {
    double seconds = 0;
    std::uint64_t subproblems = 0;
    std::uint64_t first_scans = 0;
    std::uint64_t pair_rows = 0;
    std::uint64_t memo_entries = 0;
    std::uint64_t memo_hits = 0;
    std::uint64_t peak_memory = 0;
    std::uint64_t n_groups = 0;
    std::uint64_t n_columns = 0;
    std::uint64_t n_thresholds = 0;

    /// Take down what is known at the end of a search.
    void close(const Problem& problem, const Memo& memo, double spent) {
        seconds = spent;
        memo_entries = memo.size();
        memo_hits = memo.hits();
        n_groups = problem.n_groups;
        n_columns = problem.splits.size();
        for (const SplitColumn& column : problem.splits) {
            n_thresholds += column.cuts.size();
        }
    }
};

struct Result {
    FoundTree tree;
    Cost lower = 0;  // base included
    Cost upper = 0;
    Status status = Status::optimal;
    Statistics statistics;
};

}  // namespace ostrya
