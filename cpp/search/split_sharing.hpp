/// How threads share the splits of a node: each takes what the others are not at.
#pragma once

#include <cstdint>
#include <vector>

#include "search/context.hpp"
#include "search/split_choice.hpp"

namespace ostrya {

template <class Sum>
class SplitSharing {
public:
    /// Without hints there is one thread, and all splits are its own.
    explicit SplitSharing(const SearchContext& context)
        : scale_(context.problem.scale),
          tuning_(context.tuning().search),
          hints_(context.facts.hints.get()) {}

    /// The split of a node to explore next. Of those that other threads are at, or of
    /// the columns that `others` are at, one only where no other is left.
    SplitChoice next_split(Level<Sum>& level, Cost goal,
                           const std::vector<std::uint32_t>& others = {}) const {
        if (level.deferred.empty() && others.empty()) {
            return choose_split(level, scale_, tuning_, goal);
        }
        return next_apart(level, goal, others);
    }

    /// Whether another thread is at a child of this split, by which the node is parted,
    /// and there is something else to do meanwhile.
    bool leaves_to_others(Level<Sum>& level, std::uint32_t split, Limits limits) const {
        return hints_ != nullptr && is_deferred(level, split, limits);
    }

    /// Which child comes first: this one, unless another thread is at it.
    bool first_child(const Level<Sum>& level, bool is_yes) const {
        const bool is_taken =
            hints_ != nullptr && hints_->is_taken(level.partition.hash(is_yes));
        return is_taken ? !is_yes : is_yes;
    }

private:
    SplitChoice next_apart(Level<Sum>& level, Cost goal,
                           const std::vector<std::uint32_t>& others) const;
    bool is_deferred(Level<Sum>& level, std::uint32_t split, Limits limits) const;

    CostScale scale_;
    const Tuning::Search& tuning_;
    WorkHints* hints_;
};

}  // namespace ostrya
