/// What a search over leaves hands back: its tree, and what it took.
#pragma once

#include <vector>

#include "leaf_sets/leaf_cache.hpp"
#include "watch/result.hpp"

namespace ostrya::leaf_sets {

/// The tree with these splits, in whatever order.
FoundTree found_tree(const std::vector<std::uint32_t>& splits, const LeafCache& leaves);

/// What is known of every search from its leaves and its clock.
Statistics statistics_of(const LeafCache& leaves, const StopSign& stop);

}  // namespace ostrya::leaf_sets
