/// A good first tree, quickly: best depth-two look-ahead at each node, then its
/// children.
///
/// The search needs a tree to beat, and the caller one to have when time runs out.
/// Every tree here is one that the search could find; nothing is proved.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/branching.hpp"
#include "search/pair_scan.hpp"

namespace ostrya {

template <class Sum>
class FirstTree {
public:
    /// Solves the node at a depth for good, within limits.
    using Solve = std::function<Bracket(std::size_t depth, Limits limits)>;

    FirstTree(const Problem& problem, const Switches& switches,
              NodeBuilder<Sum>& builder, Branching<Level<Sum>>& branching,
              PairScan<Sum>& scan, StopSign& stop, Solve solve)
        : problem_(problem),
          switches_(switches),
          builder_(builder),
          branching_(branching),
          scan_(scan),
          stop_(stop),
          solve_(std::move(solve)) {}

    /// Whether scanning the pairs of a root takes so long that a tree is wanted before.
    static bool is_wanted_early(const Node<Sum>& root);

    /// The split whose children are purest.
    std::uint32_t purest_split(const Node<Sum>& node) const;

    /// A tree below both children of a root split, within a bounded effort. With
    /// `persists` it grows on where no pair of splits lowers the loss.
    void grow(std::uint32_t split, Limits limits, bool persists, Bracket& best);

    /// The same with less effort, before pairs are scanned.
    void grow_quickly(std::uint32_t split, Limits limits, Bracket& best);

    /// A better one, for a search that will be long.
    void grow_with_care(Limits limits, Bracket& best);

private:
    /// How a tree is grown: how much may be looked at, and whether it goes on where no
    /// pair of splits pays.
    struct Growth {
        ScanEffort effort;
        bool persists = false;
    };
    using Grow = Bracket (FirstTree::*)(std::size_t depth, Limits limits, Growth&);

    Bracket greedy(std::size_t depth, Limits limits, Growth& growth);
    Bracket careful(std::size_t depth, Limits limits, Growth& growth);
    Bracket exact_below(std::size_t depth, Limits limits, Growth& growth);
    Bracket look_ahead(std::size_t depth, Limits limits, Growth& growth,
                       Grow grow_below);
    std::uint32_t try_columns(std::size_t depth, Limits limits, Growth& growth,
                              Bracket& best);
    void descend(std::size_t depth, std::uint32_t split, Limits limits, Growth& growth,
                 Grow grow_below, Bracket& best);
    double purity(const Node<Sum>& node, std::uint32_t split) const;
    std::vector<std::uint32_t> purest_splits(const Node<Sum>& node) const;

    const Problem& problem_;
    const Switches& switches_;
    NodeBuilder<Sum>& builder_;
    Branching<Level<Sum>>& branching_;
    PairScan<Sum>& scan_;
    StopSign& stop_;
    Solve solve_;
};

}  // namespace ostrya
