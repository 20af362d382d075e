/// A good first tree, quickly: best depth-two look-ahead at each node, then its
/// children.
///
/// The search needs a tree to beat, and the caller one to have when time runs out.
/// Every tree here is one that the search could find; nothing is proved.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class FirstTree {
public:
    /// Grows below the root of this solver, at its levels.
    FirstTree(const Problem& problem, Solver<Sum>& solver, StopSign& stop)
        : problem_(problem),
          solver_(solver),
          branching_(solver.branching()),
          scan_(solver.scan()),
          stop_(stop) {}

    /// Whether scanning the pairs of a root takes so long that a tree is wanted before.
    static bool is_wanted_early(const Node<Sum>& root);

    /// The split whose children are purest.
    std::uint32_t purest_split(const Node<Sum>& node);

    /// A tree below both children of a root split, within a bounded effort. With
    /// `persists` it grows on where no pair of splits lowers the loss. What is not the
    /// first such tree has less effort.
    void grow(std::uint32_t split, Limits limits, bool persists, bool is_first,
              Bracket& best);

    /// The same with less effort, before pairs are scanned.
    void grow_quickly(std::uint32_t split, Limits limits, Bracket& best);

    /// A better one, for a search that will be long; `between` is called before each
    /// part of it, and may lower the best cost.
    void grow_with_care(Limits limits, const std::function<void()>& between,
                        Bracket& best);

    /// A large one soon: purest splits all the way.
    void grow_purest(Limits limits, Bracket& best);

    /// Another one, each of whose splits is the best of those tried by what grows
    /// greedily below it.
    void grow_by_trial(Limits limits, Bracket& best);

    /// What that takes, roughly, in words.
    static std::uint64_t trial_work(const Node<Sum>& root, const Problem& problem);

private:
    /// How a tree is grown: how much may be looked at, and whether it goes on where no
    /// pair of splits pays.
    struct Growth {
        ScanEffort effort;
        bool persists = false;
    };
    /// What one side of each split weighs, and the squares of its labels' weights.
    struct Side {
        std::vector<double> sums, squares;

        double purity(std::uint32_t split) const {
            return sums[split] > 0 ? squares[split] / sums[split] : 0;
        }
    };
    using Grow = Bracket (FirstTree::*)(std::size_t depth, Limits limits, Growth&);

    Bracket greedy(std::size_t depth, Limits limits, Growth& growth);
    Bracket careful(std::size_t depth, Limits limits, Growth& growth);
    Bracket exact_below(std::size_t depth, Limits limits, Growth& growth);
    Bracket purest(std::size_t depth, Limits limits, Growth& growth);
    Bracket by_trial(std::size_t depth, Limits limits, Growth& growth);
    Bracket look_ahead(std::size_t depth, Limits limits, Growth& growth,
                       Grow grow_below);
    std::uint32_t try_columns(std::size_t depth, Limits limits, Growth& growth,
                              const std::function<void()>& between, Bracket& best);
    void descend(std::size_t depth, std::uint32_t split, Limits limits, Growth& growth,
                 Grow grow_below, Bracket& best);
    bool ends_as_leaf(std::size_t depth, Limits limits, Bracket& best);
    static std::size_t look_work(const Node<Sum>& node);
    bool is_stopped(const Node<Sum>& node);
    void find_purities(const Node<Sum>& node);
    std::vector<std::uint32_t> purest_splits(const Node<Sum>& node);

    const Problem& problem_;
    Solver<Sum>& solver_;
    Branching<Level<Sum>>& branching_;
    PairScan<Sum>& scan_;
    StopSign& stop_;
    Side yes_, no_;  // scratch of find_purities
    std::vector<double> purities_;
};

}  // namespace ostrya
