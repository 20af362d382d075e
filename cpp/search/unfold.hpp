/// Trees of the search as they leave it.
#pragma once

#include "objective/found_tree.hpp"
#include "search/subtree_pool.hpp"

namespace ostrya {

/// The tree in terms of the input columns.
FoundTree unfold(const SubtreePool& pool, const Subtree& tree, const Problem& problem);

std::uint32_t count_leaves(const SubtreePool& pool, const Subtree& tree);

}  // namespace ostrya
