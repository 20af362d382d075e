/// Which of several Top-k trees of the same least cost is returned.
///
/// Which one a search meets first depends on what else was proved by then, so on how
/// threads took turns. The choice does not: at each node from the root on, the first
/// candidate that some tree of least cost begins with is taken, and a leaf before all
/// of them. What one thread finds is nearly always this tree, so that the choice is a
/// walk over what is in the memo.
#pragma once

#include <cstdint>
#include <optional>

#include "top_k/top_k_solver.hpp"

namespace ostrya {

template <class Nodes>
class TopKChoice {
    using Level = typename TopKSolver<Nodes>::Level;

public:
    TopKChoice(TopKSolver<Nodes>& solver, StopSign& stop)
        : solver_(solver), branching_(solver.branching()), stop_(stop) {}

    /// Have the bracket of a root that is solved hold the chosen tree. Where the search
    /// has to end before, it holds the one that was found.
    void choose(Limits limits, Bracket& solved) {
        assert(solved.is_solved());
        if (auto tree = chosen(0, limits, solved.upper)) solved.tree = *std::move(tree);
    }

private:
    /// The limits of the children of a split, no and yes, and what their trees cost.
    struct Children {
        Limits limits[2];
        Cost costs[2] = {0, 0};
    };

    std::optional<Subtree> chosen(std::size_t depth, Limits limits, Cost cost);
    std::optional<Subtree> chosen_child(std::size_t depth, bool yes,
                                        const Children& children);
    bool reaches(std::size_t depth, std::uint32_t split, Limits limits, Cost cost,
                 Children& children);
    bool reaches_within(std::size_t depth, std::uint32_t split, Cost cost,
                        Children& children);

    TopKSolver<Nodes>& solver_;
    Branching<Level>& branching_;
    StopSign& stop_;
};

}  // namespace ostrya
