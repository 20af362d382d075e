/// A node parted by one of its splits: who answers yes, and the two children.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "data/row_bits.hpp"
#include "node/node.hpp"
#include "kernels/padding.hpp"
#include "pairs/pair_counter.hpp"

namespace ostrya {

template <class Sum>
class Parting {
public:
    /// Part `node` by `split`.
    void take(const Node<Sum>& node, std::uint32_t split) {
        split_ = split;
        PairCounter<Sum>::mask_of(node, split, mask_);
        yes_hash_ = hash_yes(node);
        no_hash_ = yes_hash_ ^ node.hash;
    }

    /// Who answers yes.
    const std::vector<std::uint64_t>& mask() const { return mask_; }
    const RowHash& hash(bool yes) const { return yes ? yes_hash_ : no_hash_; }

    /// Rows of the larger child of the node that was taken.
    std::uint32_t most_rows(const Node<Sum>& node) const {
        return std::max(n_yes_, node.n_rows - n_yes_);
    }

    /// Build one of the children from the node that was taken.
    void build(NodeBuilder<Sum>& builder, const Node<Sum>& node, bool yes,
               Node<Sum>& child) {
        keep_ = mask_;
        if (!yes) {
            for (std::uint64_t& word : keep_) word = ~word;
            keep_.back() &= tail_mask(node.n_rows);
        }
        total_.resize(builder.reader().size());
        for (std::uint32_t slot = 0; slot < total_.size(); ++slot) {
            const Sum sum = node.yes[slot * node.width + split_];
            total_[slot] = yes ? sum : node.total[slot] - sum;
        }
        builder.build_child(node, keep_, hash(yes), total_, child);
    }

private:
    /// Summed over the smaller side; the other side is the rest.
    RowHash hash_yes(const Node<Sum>& node) {
        n_yes_ = 0;
        for (const std::uint64_t word : mask_) {
            n_yes_ += static_cast<std::uint32_t>(std::popcount(word));
        }
        const bool sums_yes = 2 * n_yes_ <= node.n_rows;
        RowHash hash;
        for (std::uint32_t word = 0; word < node.n_words; ++word) {
            std::uint64_t left = sums_yes ? mask_[word] : ~mask_[word];
            if (word + 1 == node.n_words) left &= tail_mask(node.n_rows);
            for_each_bit(left, word,
                         [&](std::uint32_t row) { hash ^= node.row_keys[row]; });
        }
        return sums_yes ? hash : hash ^ node.hash;
    }

    std::uint32_t split_ = 0, n_yes_ = 0;
    std::vector<std::uint64_t> mask_, keep_;
    std::vector<Sum> total_;
    RowHash yes_hash_, no_hash_;
};

}  // namespace ostrya
