/// A tree as the set of its leaves, some fixed for good, some still open.
#pragma once

#include <cstdint>
#include <vector>

#include "leaf_sets/leaf_cache.hpp"
#include "objective/cost.hpp"

namespace ostrya::leaf_sets {

struct LeafSet {
    struct Entry {
        std::uint32_t leaf;
        std::uint32_t made_by;  // the split that made it in this tree; none: the root
        std::uint32_t depth;
    };

    std::vector<Entry> fixed;  // never split again
    std::vector<Entry> open;   // may become fixed, or be split
    std::vector<std::uint32_t> splits;
    Cost lower = 0;  // of this tree and all that grow from it
    Cost cost = 0;   // of this tree as it stands

    std::uint32_t size() const {
        return static_cast<std::uint32_t>(fixed.size() + open.size());
    }
    std::uint64_t bytes() const {
        return sizeof(LeafSet) + size() * sizeof(Entry) + splits.size() * 4 + 48;
    }

    /// The identity of the set: which leaves it has, and which of them are fixed. Depth
    /// belongs to it only where depth is limited.
    RowHash key(bool depth_counts) const {
        RowHash out;
        const auto add = [&](const Entry& entry, std::uint64_t is_fixed) {
            const std::uint64_t depth = depth_counts ? entry.depth : 0;
            const std::uint64_t id = mix_bits(2 * std::uint64_t{entry.leaf} + is_fixed);
            const std::uint64_t both = mix_bits(id + depth);
            out.low += both;
            out.high += mix_bits(both ^ mix_bits(id));
        };
        for (const Entry& entry : fixed) add(entry, 1);
        for (const Entry& entry : open) add(entry, 0);
        return out;
    }
};

}  // namespace ostrya::leaf_sets
