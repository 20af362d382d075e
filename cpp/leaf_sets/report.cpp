/// What the search says of itself: memory, progress, and the tree it found.
#include <algorithm>
#include <unordered_map>

#include "leaf_sets/search.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Seconds between two looks at the whole queue.
constexpr double report_interval = 0.05;

}  // namespace

void Search::keep_if_best(const LeafSet& set) {
    if (set.cost >= best_.cost) return;
    best_ = set;
    goal_ = std::min(goal_, best_.cost);
    lower_ = std::min(lower_, goal_);
    publish();
}

/// Keep within the memory, and now and then say how far the proof is.
void Search::look_around() {
    if (memory_.is_exceeded()) stop_.memory_is_out();
    if (stop_.seconds() < next_report_) return;
    lower_ = std::max(lower_, lower_now());
    publish();
    // A long queue takes a while to look through.
    next_report_ =
        stop_.seconds() + report_interval + 1e-7 * static_cast<double>(queue_.size());
}

/// Every tree not yet ruled out is in the queue, or costs the goal or more.
Cost Search::lower_now() const {
    Cost least = goal_;
    for (const Waiting& waiting : queue_) least = std::min(least, waiting.lower);
    return least;
}

void Search::publish() {
    const TracePoint point{stop_.seconds(), std::min(lower_, best_.cost),
                           best_.cost,      n_trees_,
                           memory_.used(),  best_.size()};
    const TracePoint last = progress_.latest();
    if (!progress_.is_empty() && last.lower == point.lower &&
        last.upper == point.upper) {
        return;
    }
    progress_.publish(point);
}

FoundTree Search::found_tree() const {
    std::unordered_map<std::uint32_t, std::uint32_t> split_of;
    for (const std::uint32_t index : best_.splits) {
        split_of.emplace(leaves_.split(index).leaf, index);
    }
    FoundTree out;
    struct Open {
        std::uint32_t leaf;
        std::uint32_t parent;
        bool is_yes;
    };
    std::vector<Open> open{{LeafCache::root, none, false}};
    while (!open.empty()) {
        const Open top = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(out.nodes.size());
        FoundTree::Node& node = out.nodes.emplace_back();
        if (top.parent != none) {
            (top.is_yes ? out.nodes[top.parent].yes : out.nodes[top.parent].no) = at;
        }
        const auto found = split_of.find(top.leaf);
        if (found == split_of.end()) continue;
        const LeafSplit& split = leaves_.split(found->second);
        const SplitColumn& column = leaves_.table.splits[split.column];
        node.is_leaf = false;
        node.feature = column.feature;
        node.cut = leaves_.table.values[column.feature][column.cuts[split.cut]];
        open.push_back({split.no, at, false});
        open.push_back({split.yes, at, true});
    }
    return out;
}

}  // namespace ostrya::leaf_sets
