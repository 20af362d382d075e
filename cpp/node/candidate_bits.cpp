/// Which bit columns a node keeps: those worth splitting on, each partition once.
#include <algorithm>
#include <bit>

#include "node/node.hpp"
#include "kernels/padding.hpp"

namespace ostrya {

/// Hash each listed candidate so that a column and its complement agree.
template <class Sum>
void NodeBuilder<Sum>::hash_candidates(const Node<Sum>& node) {
    candidate_hash_.resize(std::max(candidate_hash_.size(), candidate_splits_.size()));
    for (const std::uint32_t index : listed_) candidate_hash_[index] = 0;
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const std::uint64_t tail =
            word + 1 == node.n_words ? tail_mask(node.n_rows) : ~std::uint64_t{0};
        const std::uint64_t* row = candidates_.data() + word * candidate_stride_;
        for (const std::uint32_t index : listed_) {
            const std::uint64_t flip = (candidates_[index] & 1) ? tail : 0;
            candidate_hash_[index] =
                std::rotl(candidate_hash_[index] ^ row[index] ^ flip, 23) *
                0x9e3779b97f4a7c15u;
        }
    }
}

/// True when an earlier candidate makes the same two children.
template <class Sum>
bool NodeBuilder<Sum>::is_repeated(const Node<Sum>& node, std::uint32_t candidate) {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (candidate_hash_[candidate] >> 32) & mask;
    for (; table_[slot] != none; slot = (slot + 1) & mask) {
        const std::uint32_t other = table_[slot];
        if (candidate_hash_[other] != candidate_hash_[candidate]) continue;
        const bool flips = (candidates_[other] ^ candidates_[candidate]) & 1;
        bool is_same = true;
        for (std::uint32_t word = 0; is_same && word < node.n_words; ++word) {
            const std::uint64_t tail =
                word + 1 == node.n_words ? tail_mask(node.n_rows) : ~std::uint64_t{0};
            const std::uint64_t* row = candidates_.data() + word * candidate_stride_;
            is_same = row[candidate] == (row[other] ^ (flips ? tail : 0));
        }
        if (is_same) return true;
    }
    table_[slot] = candidate;
    return false;
}

/// Count every candidate column.
template <class Sum>
void NodeBuilder<Sum>::count_candidates(const Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    const std::size_t stride = candidate_stride_;
    candidate_sums_.resize(slots * stride);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        kernels_.count({candidates_.data(), stride}, node.planes[slot].data(),
                       node.planes[slot].size(), candidate_sums_.data() + slot * stride,
                       padded(candidate_splits_.size()));
    }
}

/// List the candidates whose two children are both worth having.
template <class Sum>
void NodeBuilder<Sum>::list_splits(const Node<Sum>& node) {
    const auto n = static_cast<std::uint32_t>(candidate_splits_.size());
    const SumLayout& layout = reader_.layout();
    const Sum* sums = candidate_sums_.data();
    const std::size_t stride = candidate_stride_;
    const Weight floor = reader_.floor();
    const Weight total = reader_.potential(node.total.data(), 1);
    listed_.resize(n);
    std::uint32_t* to = listed_.data();
    for (std::uint32_t index = 0; index < n; ++index) {
        const Weight yes = reader_.potential(sums + index, stride);
        *to = index;
        to += (yes > floor) & (total - yes > floor);  // small nodes drop most of them
    }
    listed_.resize(static_cast<std::size_t>(to - listed_.data()));
    // Without counts and masses, potential is all that makes a leaf.
    if (!layout.keeps_every_row()) return;
    std::erase_if(listed_, [&](std::uint32_t index) {
        return !reader_.may_part(sums + index, stride, node.total.data());
    });
}

/// Select the bit columns whose two children are both worth having, once each, and
/// put the promising ones first.
template <class Sum>
void NodeBuilder<Sum>::select_bits(Node<Sum>& node) {
    chosen_.clear();
    if (candidate_splits_.empty()) return;
    count_candidates(node);
    list_splits(node);
    if (problem_.ranks_splits) return select_names();
    hash_candidates(node);
    table_.assign(std::bit_ceil(2 * listed_.size() + 1), none);
    const std::size_t n = candidate_splits_.size();
    yes_loss_.resize(std::max(yes_loss_.size(), n));
    no_loss_.resize(yes_loss_.size());
    reader_.side_losses(candidate_sums_.data(), candidate_stride_, node.total.data(), n,
                        yes_loss_.data(), no_loss_.data());
    const Weight cap = problem_.grid.penalty / problem_.grid.scale;
    // Bound, loss and number in one word; losses that need more bits lose the last.
    const int number_bits = std::bit_width(n), loss_bits = (64 - number_bits) / 2;
    const auto total =
        static_cast<std::uint64_t>(reader_.potential(node.total.data(), 1));
    const int lost_bits =
        std::max(0, static_cast<int>(std::bit_width(total)) - loss_bits);
    keys_.clear();
    for (const std::uint32_t index : listed_) {
        if (is_repeated(node, index)) continue;
        const Weight loss_yes = yes_loss_[index], loss_no = no_loss_[index];
        const Weight bound = std::min(loss_yes, cap) + std::min(loss_no, cap);
        const auto rank = static_cast<std::uint64_t>(bound >> lost_bits) << loss_bits |
                          static_cast<std::uint64_t>((loss_yes + loss_no) >> lost_bits);
        keys_.push_back(rank << number_bits | index);
    }
    std::sort(keys_.begin(), keys_.end());
    const std::uint64_t number = (std::uint64_t{1} << number_bits) - 1;
    for (const std::uint64_t key : keys_) {
        chosen_.push_back(static_cast<std::uint32_t>(key & number));
    }
}

/// Select every split by its name, in the order of columns and cuts. Of cuts of one
/// column that part the rows alike the lowest stays: between them lie no values.
template <class Sum>
void NodeBuilder<Sum>::select_names() {
    for (const std::uint32_t index : listed_) {
        if (!repeats_lower_cut(index)) chosen_.push_back(index);
    }
}

/// True when the next lower cut of the column makes the same children. Cuts are nested
/// and every row weighs something, so equal masses are equal sets.
template <class Sum>
bool NodeBuilder<Sum>::repeats_lower_cut(std::uint32_t candidate) const {
    const std::uint32_t previous = candidate_previous_[candidate];
    if (previous == none) return false;
    const Sum* sums = candidate_sums_.data();
    return reader_.mass(sums + candidate, candidate_stride_) ==
           reader_.mass(sums + previous, candidate_stride_);
}

template void NodeBuilder<std::int32_t>::select_bits(Node<std::int32_t>&);
template void NodeBuilder<std::int64_t>::select_bits(Node<std::int64_t>&);

}  // namespace ostrya
