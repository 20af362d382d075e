/// Which bit columns a node keeps: those worth splitting on, each partition once.
#include <algorithm>
#include <bit>

#include "search/node.hpp"
#include "search/padding.hpp"

namespace ostrya {

/// Hash each candidate column so that a column and its complement agree.
template <class Sum>
void NodeBuilder<Sum>::hash_candidates(const Node<Sum>& node) {
    const std::size_t n = candidate_splits_.size();
    candidate_hash_.assign(n, 0);
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const std::uint64_t tail =
            word + 1 == node.n_words ? tail_mask(node.n_rows) : ~std::uint64_t{0};
        const std::uint64_t* row = candidates_.data() + word * candidate_stride_;
        for (std::size_t index = 0; index < n; ++index) {
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

/// Whether both children of a counted candidate are worth having; `rest_` is then the
/// no child.
template <class Sum>
bool NodeBuilder<Sum>::is_split(const Node<Sum>& node, std::uint32_t candidate) {
    const Sum* yes = candidate_sums_.data() + candidate;
    const std::size_t stride = candidate_stride_;
    // Most candidates of a small node end here.
    const Weight potential = reader_.potential(yes, stride);
    const Weight total = reader_.potential(node.total.data(), 1);
    if (std::min(potential, total - potential) <= reader_.floor()) return false;
    for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
        rest_[slot] = node.total[slot] - yes[slot * stride];
    }
    return reader_.may_be_leaf(yes, stride) && reader_.may_be_leaf(rest_.data(), 1);
}

/// Select the bit columns whose two children are both worth having, once each, and
/// put the promising ones first.
template <class Sum>
void NodeBuilder<Sum>::select_bits(Node<Sum>& node) {
    const std::size_t n = candidate_splits_.size();
    const std::size_t stride = candidate_stride_;
    chosen_.clear();
    if (n == 0) return;
    count_candidates(node);
    if (problem_.ranks_splits) return select_names(node);
    hash_candidates(node);
    table_.assign(std::bit_ceil(2 * n), none);
    const Weight cap = problem_.grid.penalty / problem_.grid.scale;
    for (std::uint32_t index = 0; index < n; ++index) {
        if (!is_split(node, index) || is_repeated(node, index)) continue;
        const Weight loss_yes = reader_.loss(candidate_sums_.data() + index, stride);
        const Weight loss_no = reader_.loss(rest_.data(), 1);
        const Weight bound = std::min(loss_yes, cap) + std::min(loss_no, cap);
        constexpr Weight most = (Weight{1} << 31) - 1;
        chosen_.emplace_back(
            std::min(bound, most) << 31 | std::min(loss_yes + loss_no, most), index);
    }
    std::sort(chosen_.begin(), chosen_.end());
}

/// Select every split by its name, in the order of columns and cuts. Of cuts of one
/// column that part the rows alike the lowest stays: between them lie no values.
template <class Sum>
void NodeBuilder<Sum>::select_names(Node<Sum>& node) {
    const auto n = static_cast<std::uint32_t>(candidate_splits_.size());
    for (std::uint32_t index = 0; index < n; ++index) {
        if (is_split(node, index) && !repeats_lower_cut(index)) {
            chosen_.emplace_back(index, index);
        }
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
