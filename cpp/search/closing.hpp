/// What is known of a search once it is over.
#pragma once

#include "objective/problem.hpp"
#include "search/memo.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// Take down what the problem, the memo and the clock say at the end.
inline void close(Statistics& statistics, const Problem& problem, const Memo& memo,
                  double spent) {
    statistics.seconds = spent;
    statistics.memo_entries = memo.size();
    statistics.memo_hits = memo.hits();
    statistics.n_groups = problem.n_groups;
    statistics.n_columns = problem.splits.size();
    statistics.n_thresholds = problem.n_cuts();
}

}  // namespace ostrya
