/// A node parted by one of its splits: who answers yes, and the two children.
#pragma once

#include <algorithm>
#include <cstdint>

#include "node/node_builder.hpp"

namespace ostrya {

template <class Sum>
class Partition {
public:
    explicit Partition(MemoryBudget& memory)
        : mask_(memory), keep_(memory), total_(memory) {}

    /// Part `node` by `split`.
    void split(const Node<Sum>& node, std::uint32_t split) {
        assert(node.splits.is_split[split]);
        split_ = split;
        node.mask_of(split, mask_);
        const SmallerSide smaller(mask_.data(), node.rows.n);
        RowHash hash;
        smaller.for_each([&](std::uint32_t row) { hash += node.rows.keys[row]; });
        yes_hash_ = smaller.is_set() ? hash : node.rows.hash - hash;
        no_hash_ = node.rows.hash - yes_hash_;
        n_larger_ = std::max(smaller.n_set(), node.rows.n - smaller.n_set());
    }

    /// Who answers yes.
    const Vector<std::uint64_t>& mask() const { return mask_; }
    const RowHash& hash(bool yes) const { return yes ? yes_hash_ : no_hash_; }
    /// Rows of the larger child.
    std::uint32_t n_larger() const { return n_larger_; }

    /// Build one of the children of the node that was parted.
    void build(NodeBuilder<Sum>& builder, const Node<Sum>& node, bool yes,
               Node<Sum>& child) {
        keep_ = mask_;
        if (!yes) {
            for (std::uint64_t& word : keep_) word = ~word;
            keep_.back() &= tail_mask(node.rows.n);
        }
        total_.resize(builder.reader().size());
        for (std::uint32_t slot = 0; slot < total_.size(); ++slot) {
            total_[slot] = node.side_sum(slot, split_, yes);
        }
        builder.build_child(node, keep_, hash(yes), total_, child);
    }

private:
    std::uint32_t split_ = 0, n_larger_ = 0;
    Vector<std::uint64_t> mask_, keep_;
    Vector<Sum> total_;
    RowHash yes_hash_, no_hash_;
};

/// What the larger child of a partition takes at most: a share of what goes with the
/// rows, and no more cuts of a histogram than it has rows.
template <class Sum>
std::uint64_t child_bytes(const Node<Sum>& node, const Partition<Sum>& partition,
                          std::uint64_t row_bytes, std::uint64_t split_bytes) {
    const std::uint32_t n_rows = node.rows.n, width = node.splits.width;
    if (n_rows == 0 || width == 0) return 0;
    const std::uint64_t most_rows = partition.n_larger();
    const std::uint64_t most_splits = std::min<std::uint64_t>(
        width, node.bits.n + most_rows * node.histograms.size());
    return row_bytes / n_rows * most_rows + split_bytes / width * most_splits;
}

}  // namespace ostrya
