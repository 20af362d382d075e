#include "leaf_sets/incumbent.hpp"

#include <algorithm>

namespace ostrya::leaf_sets {

void Incumbent::start(const LeafSet& tree, Cost lower) {
    best_ = tree;
    goal_ = std::min(goal_, best_.cost);
    lower_ = std::min(lower, goal_);
    publish();
}

void Incumbent::keep_if_best(const LeafSet& tree) {
    if (tree.cost >= best_.cost) return;
    best_ = tree;
    goal_ = std::min(goal_, best_.cost);
    lower_ = std::min(lower_, goal_);
    publish();
}

void Incumbent::raise(Cost lower) {
    lower_ = std::max(lower_, std::min(lower, goal_));
    publish();
}

void Incumbent::publish() {
    progress_.publish({stop_.watch.seconds(), std::min(lower_, best_.cost), best_.cost,
                       n_trees, memory_.used(), best_.size()});
}

Result Incumbent::result() const {
    Result result;
    result.lower = std::min(lower_, best_.cost);
    result.upper = best_.cost;
    result.status = result.lower == result.upper ? Status::optimal
                    : lower_ >= goal_ ? Status::upper_bound
                                      : stop_.reason().value_or(Status::memory_limit);
    return result;
}

}  // namespace ostrya::leaf_sets
