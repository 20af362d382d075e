/// What the search over fronts says of itself: progress, and the tree it found.
#include <algorithm>

#include "fronts/search.hpp"

namespace ostrya::fronts {

using leaf_sets::LeafSplit;

void Search::publish() {
    progress_.publish({stop_.seconds(), std::min(lower_, best_cost_), best_cost_,
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
    Statistics& told = out.statistics;
    told.seconds = stop_.seconds();
    told.subproblems = subproblems_.size();
    told.memo_entries = subproblems_.size();
    told.memo_hits = n_hits_;
    told.first_scans = leaves_.n_expanded();
    told.peak_memory = memory_.peak();
    told.n_groups = leaves_.table.n_groups;
    told.n_columns = leaves_.table.splits.size();
    for (const SplitColumn& column : leaves_.table.splits) {
        told.n_thresholds += column.cuts.size();
    }
    return out;
}

FoundTree Search::found_tree() const {
    FoundTree out;
    struct Open {
        Point point;
        std::uint32_t parent;
        bool is_yes;
    };
    std::vector<Open> open{{best_, none, false}};
    while (!open.empty()) {
        const Open top = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(out.nodes.size());
        FoundTree::Node& node = out.nodes.emplace_back();
        if (top.parent != none) {
            (top.is_yes ? out.nodes[top.parent].yes : out.nodes[top.parent].no) = at;
        }
        if (top.point.split == none) continue;
        const LeafSplit& split = leaves_.split(top.point.split);
        const SplitColumn& column = leaves_.table.splits[split.column];
        node.is_leaf = false;
        node.feature = column.feature;
        node.cut = leaves_.table.values[column.feature][column.cuts[split.cut]];
        open.push_back({points_[top.point.no], at, false});
        open.push_back({points_[top.point.yes], at, true});
    }
    return out;
}

}  // namespace ostrya::fronts
