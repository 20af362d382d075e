/// Trees of purest splits, with no scan of pairs: a greedy one, and one each of whose
/// splits is the best of those tried.
///
/// LicketySPLIT: Babbar et al. 2025 (ICML, "Near-Optimal Decision Trees in a SPLIT
/// Second"), which tries every yes/no question; here it is the purest split of each of
/// several columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "search/growth_steps.hpp"
#include "search/purities.hpp"

namespace ostrya {

template <class Sum>
class TrialTree {
public:
    /// Grows from the root of this solver, at its levels.
    TrialTree(const Problem& problem, Solver<Sum>& solver, StopSign& stop,
              MemoryBudget& memory)
        : stop_(stop), steps_(problem, solver), purities_(problem, memory) {}

    /// A large tree soon: purest splits all the way.
    void grow_purest(Limits limits, Bracket& best);

    /// A better one: each of its splits is the best of those tried, by what grows
    /// greedily below it. Those trees count too: `publish` is called for each that is
    /// the best so far.
    void grow_by_trial(Limits limits, const std::function<void()>& publish,
                       Bracket& best);

    /// What the better one takes, roughly, in words.
    static std::uint64_t trial_work(const Node<Sum>& root, const Problem& problem);

private:
    Bracket purest(std::size_t depth, Limits limits);
    Bracket by_trial(std::size_t depth, Limits limits);
    std::uint32_t try_splits(std::size_t depth, Limits limits,
                             const std::function<void()>& between, Bracket& best);
    void grow_below(std::size_t depth, std::uint32_t split, Limits limits,
                    Bracket& best);
    static std::size_t look_work(const Node<Sum>& node);
    bool is_stopped(const Node<Sum>& node) {
        return stop_.is_up_before(look_work(node));
    }

    StopSign& stop_;
    GrowthSteps<Sum> steps_;
    Purities<Sum> purities_;
};

}  // namespace ostrya
