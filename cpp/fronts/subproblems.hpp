/// What is known of each subproblem: a leaf that may still be split, and to what depth.
#pragma once

#include <algorithm>
#include <cstdint>

#include "leaf_sets/leaf_cache.hpp"
#include "memory/budget.hpp"

namespace ostrya::fronts {

using leaf_sets::none;

struct Subproblem {
    std::uint32_t leaf;
    std::uint32_t depth;
    std::uint32_t next = none;  // with the same rows, to another depth
    bool is_settled = false;    // a tree of priced cost `lower` exists
    Cost lower = 0;             // no tree has a lower priced cost
    Cost budget = -1;           // up to this priced cost the front is complete
    std::uint32_t first = 0;    // points of the front, cheapest first
    std::uint32_t n_points = 0;
};

class Subproblems {
public:
    Subproblems(leaf_sets::LeafCache& leaves, Cost penalty, MemoryBudget& memory)
        : leaves_(leaves), penalty_(penalty), first_(memory), all_(memory) {}

    Subproblem& at(std::uint32_t index) { return all_[index]; }
    std::size_t size() const { return all_.size(); }

    /// The subproblem of these rows to this depth, or to the depth they can use.
    std::uint32_t find_or_add(std::uint32_t leaf, std::uint32_t depth) {
        const Weight splits = leaves_.sums(leaf).rows() - 1;
        depth = static_cast<std::uint32_t>(std::min<Weight>(depth, splits));
        if (first_.size() <= leaf) first_.resize(leaves_.size(), none);
        for (std::uint32_t at = first_[leaf]; at != none; at = all_[at].next) {
            if (all_[at].depth == depth) return at;
        }
        const auto index = static_cast<std::uint32_t>(all_.size());
        Subproblem& added = all_.emplace_back(Subproblem{.leaf = leaf, .depth = depth});
        const Cost as_leaf = leaves_.at(leaf).loss + penalty_;
        const Cost if_split = leaves_.sums(leaf).floor() + 2 * penalty_;
        // A leaf that loses no more than any tree is the best there is.
        added.is_settled = depth == 0 || as_leaf <= if_split;
        added.lower = added.is_settled ? as_leaf : if_split;
        added.next = first_[leaf];
        first_[leaf] = index;
        return index;
    }

private:
    leaf_sets::LeafCache& leaves_;
    Cost penalty_;
    Vector<std::uint32_t> first_;  // of each leaf
    Vector<Subproblem> all_;
};

}  // namespace ostrya::fronts
