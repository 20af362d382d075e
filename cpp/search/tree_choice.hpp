/// Which of several trees of the same least cost is returned.
///
/// Which one a search meets first depends on what else was proved by then, so on how
/// threads took turns. The choice does not: at each node from the root on, splits are
/// tried in order of the loss that they leave on their own, then of their columns and
/// cuts, and the first one that some tree of least cost begins with is taken.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class TreeChoice {
public:
    TreeChoice(const Problem& problem, Solver<Sum>& solver, MemoryBudget& memory)
        : problem_(problem),
          solver_(solver),
          branching_(solver.branching),
          memory_(memory) {}

    /// The chosen tree of a root that was scanned and whose best tree costs this; none
    /// where the search has to end before.
    std::optional<Subtree> choose(Limits limits, Cost least) {
        return chosen(0, limits, least);
    }

private:
    /// The limits of the children of a split, no and yes, and what each costs at least:
    /// where a tree of least cost begins with the split, what it costs.
    struct Children {
        Limits limits[2];
        Cost lowers[2] = {0, 0};
    };

    /// A split, behind what it is chosen by.
    struct Candidate {
        Weight loss;
        std::uint32_t column, cut;
        std::uint32_t split;

        auto operator<=>(const Candidate&) const = default;
    };

    /// The split that was refuted last, and how far beyond the next one to look.
    struct Refuted {
        std::optional<Split> split;
        std::uint32_t stride = 0;

        bool is_beside(Split other) const {
            return split && split->column == other.column;
        }
    };

    std::optional<Subtree> chosen(std::size_t depth, Limits limits, Cost cost);
    std::optional<Subtree> chosen_child(std::size_t depth, std::uint32_t split,
                                        bool yes, const Children& children);
    void scan(std::size_t depth, Limits limits, Cost cost);
    Vector<Candidate> candidates(std::size_t depth, Limits limits, Cost cost) const;
    void look_beyond(std::size_t depth, std::uint32_t split, Limits limits, Cost cost,
                     Refuted& refuted);
    Cost least_cost(std::size_t depth, std::uint32_t split, Limits limits) const;
    /// Whether a tree of this cost may begin with this split.
    bool is_open(std::size_t depth, std::uint32_t split, Limits limits,
                 Cost cost) const;
    bool reaches(std::size_t depth, std::uint32_t split, Limits limits, Cost cost,
                 Children& children);
    bool reaches_within(std::size_t depth, std::uint32_t split, Cost cost,
                        Children& children);

    const Problem& problem_;
    Solver<Sum>& solver_;
    Branching<Level<Sum>>& branching_;
    MemoryBudget& memory_;
};

}  // namespace ostrya
