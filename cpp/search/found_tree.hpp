/// A tree as it leaves the search.
#pragma once

#include <cstdint>
#include <vector>

#include "search/subtree.hpp"

namespace ostrya {

/// A tree as nodes in preorder; a leaf has no split.
struct FoundTree {
    struct Node {
        bool is_leaf = true;
        Split split;
        std::uint32_t yes = 0;
        std::uint32_t no = 0;
    };
    std::vector<Node> nodes;
};

FoundTree unfold(const SubtreePool& pool, const Subtree& tree);

std::uint32_t count_leaves(const SubtreePool& pool, const Subtree& tree);

}  // namespace ostrya
