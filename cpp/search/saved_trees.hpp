/// Trees of a search as bytes, and back.
///
/// Splits in preorder, each with two bits that say which of its children are splits:
/// so a tree takes eight bytes for each split, and no bytes can mean a tree without
/// end.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/problem.hpp"
#include "search/saved_bytes.hpp"
#include "search/subtree_pool.hpp"

namespace ostrya {

/// A tree that was read, and its size.
struct SavedTree {
    Subtree tree;
    std::uint32_t n_leaves = 1;
    std::uint32_t depth = 0;
};

std::uint32_t n_splits_of(const SubtreePool& pool, std::uint32_t tree);

void write_tree(const SubtreePool& pool, std::uint32_t tree, ByteWriter& to);

/// Throws where these bytes are no tree over the columns of the problem.
SavedTree read_tree(ByteReader& from, const Problem& problem, SubtreePool& pool);

/// What a tree costs, above the base; nothing where a leaf of it is not allowed.
std::optional<Cost> recount(const Problem& problem, const SubtreePool& pool,
                            const Subtree& tree);

}  // namespace ostrya
