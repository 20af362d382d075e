/// Subtrees that a search found, and where two of them break a direction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/budget.hpp"
#include "objective/problem.hpp"

namespace ostrya::constrained {

/// Ranks of a column, both ends included.
struct Range {
    std::uint32_t low = 0, high = 0;
};

/// The part of all possible rows that a node gets: a range of each column.
using Box = std::vector<Range>;

/// A possible row, by its rank in each column; no training row needs to be there.
using Point = std::vector<std::uint32_t>;

/// A split or a leaf; subtrees share their nodes.
struct Node {
    std::int32_t column = -1;  // -1: a leaf
    std::uint32_t cut = 0;
    std::uint32_t yes = 0, no = 0;
    std::uint32_t label = 0;  // of a leaf
};

class Subtrees {
public:
    explicit Subtrees(MemoryBudget& memory) : nodes_(memory) {}

    std::uint32_t add(const Node& node) {
        nodes_.push_back(node);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    std::uint32_t n_leaves(std::uint32_t number) const {
        const Node& node = nodes_[number];
        return node.column < 0 ? 1 : n_leaves(node.yes) + n_leaves(node.no);
    }
    const Node& operator[](std::uint32_t number) const { return nodes_[number]; }

    /// Two subtrees lie beside each other, parted by `column`: rows that rise in its
    /// direction go from `low` to `high`. If some row would fall from label 1 to label
    /// 0 on the way, return it, with any rank in `column`. `box` is that of the parent.
    std::optional<Point> find_fall(std::uint32_t low, std::uint32_t high,
                                   std::uint32_t column, const Box& box) const;

private:
    /// The leaves of a label, as the ranges in which they differ from the box.
    struct Leaf {
        std::vector<std::pair<std::uint32_t, Range>> ranges;  // column and range
    };
    void collect(std::uint32_t number, std::uint32_t label, const Box& box, Leaf& path,
                 std::vector<Leaf>& out) const;

    Vector<Node> nodes_;
};

}  // namespace ostrya::constrained
