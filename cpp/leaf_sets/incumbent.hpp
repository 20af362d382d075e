/// The best tree so far and what is proved of all others, told as either changes.
#pragma once

#include <optional>

#include "leaf_sets/leaf_set.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya::leaf_sets {

class Incumbent {
public:
    Incumbent(std::optional<Cost> upper, const MemoryBudget& memory,
              const StopSign& stop, Progress& progress)
        : memory_(memory),
          stop_(stop),
          progress_(progress),
          goal_(upper.value_or(unreachable)) {}

    /// Begin with a tree, of which there is none before, and a bound of all others.
    void start(const LeafSet& tree, Cost lower);
    void keep_if_best(const LeafSet& tree);
    /// No tree that is wanted costs less than this.
    void raise(Cost lower);
    /// Both bounds, and how they came about.
    Result result() const;

    const LeafSet& best() const { return best_; }
    Cost goal() const { return goal_; }

    std::uint64_t n_trees = 0;  // weighed so far

private:
    void publish();

    const MemoryBudget& memory_;
    const StopSign& stop_;
    Progress& progress_;
    LeafSet best_;
    Cost goal_;       // only cheaper trees are looked for
    Cost lower_ = 0;  // proved so far; at most the goal
};

}  // namespace ostrya::leaf_sets
