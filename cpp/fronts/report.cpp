/// What the search over fronts says of itself: progress, and the tree it found.
#include <algorithm>

#include "fronts/search.hpp"
#include "leaf_sets/report.hpp"

namespace ostrya::fronts {

void Search::publish() {
    progress_.publish({stop_.watch.seconds(), std::min(lower_, best_cost_), best_cost_,
                       subproblems_.size(), memory_.used(), best_.leaves});
}

Result Search::result() {
    Result out;
    out.tree = found_tree();
    out.lower = std::min(lower_, best_cost_);
    out.upper = best_cost_;
    out.status = out.lower == out.upper ? Status::optimal
                 : lower_ >= goal_      ? Status::upper_bound
                                        : stop_.reason().value_or(Status::memory_limit);
    out.statistics = leaf_sets::statistics_of(leaves_, stop_);
    out.statistics.subproblems = subproblems_.size();
    out.statistics.memo_entries = subproblems_.size();
    out.statistics.memo_hits = n_hits_;
    return out;
}

FoundTree Search::found_tree() const {
    std::vector<std::uint32_t> splits;
    std::vector<Point> open{best_};
    while (!open.empty()) {
        const Point top = open.back();
        open.pop_back();
        if (top.split == none) continue;
        splits.push_back(top.split);
        open.push_back(points_[top.no]);
        open.push_back(points_[top.yes]);
    }
    return leaf_sets::found_tree(splits, leaves_);
}

}  // namespace ostrya::fronts
