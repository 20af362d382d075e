/// Top-k searches, wider and wider, as a source of trees for an exact search.
///
/// They begin with the greedy trees by Gini impurity, as CART grows them, and by
/// entropy; then k is 2, 4, 8, and so on, by entropy. Their nodes drop splits that no
/// optimal tree needs, which a Top-k search of its own would rank.
#pragma once

#include <memory>

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/tree_source.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

class TopKTrees final : public TreeSource {
public:
    /// Takes no time and no memory until it is first asked.
    TopKTrees(const Problem& problem, const Tuning& tuning, MemoryBudget& memory)
        : problem_(problem), tuning_(tuning), memory_(memory) {}

    bool improve(std::uint64_t nanoseconds, StopSign& stop, SubtreePool& pool,
                 Bracket& best) override;

private:
    const Problem& problem_;
    const Tuning& tuning_;
    MemoryBudget& memory_;
    std::unique_ptr<TreeSource> search_;
};

}  // namespace ostrya
