/// A tree as the set of its leaves, some fixed for good, some still open.
#pragma once

#include <algorithm>
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

    static LeafSet lone_leaf() { return {{}, {{LeafCache::root, none, 0}}, {}}; }

    std::uint32_t size() const {
        return static_cast<std::uint32_t>(fixed.size() + open.size());
    }

    /// The set with one of its open leaves split. The bound still holds; the cost is
    /// yet to be weighed.
    LeafSet split_at(std::size_t leaf, std::uint32_t split,
                     const LeafCache& leaves) const {
        LeafSet out = *this;
        const LeafSplit& made = leaves.split(split);
        const std::uint32_t depth = open[leaf].depth + 1;
        out.open[leaf] = {made.yes, split, depth};
        out.open.push_back({made.no, split, depth});
        out.splits.push_back(split);
        return out;
    }

    /// The identity of the set: which leaves it has, and which of them are fixed. Depth
    /// belongs to it only where depth is limited. It rests on the hashes of the leaves,
    /// which nobody can choose.
    RowHash key(const LeafCache& leaves, bool depth_counts) const {
        RowHash out;
        const auto add = [&](const Entry& entry, std::uint64_t is_fixed) {
            const std::uint64_t depth = depth_counts ? entry.depth : 0;
            const std::uint64_t salt = mix_bits(2 * depth + is_fixed);
            const RowHash& rows = leaves.at(entry.leaf).hash;
            out += {mix_bits(rows.low ^ salt), mix_bits(rows.high + salt)};
        };
        for (const Entry& entry : fixed) add(entry, 1);
        for (const Entry& entry : open) add(entry, 0);
        return out;
    }
};

/// Words that `pack` writes.
inline std::size_t packed_size(const LeafSet& set) {
    return 3 + 3 * std::size_t{set.size()} + set.splits.size();
}

/// Write the leaves and splits of a set in one piece; costs are left out.
inline void pack(const LeafSet& set, std::uint32_t* at) {
    const std::size_t n_fixed = set.fixed.size(), n_open = set.open.size();
    *at++ = static_cast<std::uint32_t>(n_fixed);
    *at++ = static_cast<std::uint32_t>(n_open);
    *at++ = static_cast<std::uint32_t>(set.splits.size());
    for (const auto* entries : {&set.fixed, &set.open}) {
        for (const LeafSet::Entry& entry : *entries) {
            *at++ = entry.leaf;
            *at++ = entry.made_by;
            *at++ = entry.depth;
        }
    }
    std::copy(set.splits.begin(), set.splits.end(), at);
}

inline LeafSet unpack(const std::uint32_t* at) {
    LeafSet set;
    set.fixed.resize(at[0]);
    set.open.resize(at[1]);
    set.splits.resize(at[2]);
    at += 3;
    for (auto* entries : {&set.fixed, &set.open}) {
        for (LeafSet::Entry& entry : *entries) {
            entry = {at[0], at[1], at[2]};
            at += 3;
        }
    }
    std::copy(at, at + set.splits.size(), set.splits.begin());
    return set;
}

}  // namespace ostrya::leaf_sets
