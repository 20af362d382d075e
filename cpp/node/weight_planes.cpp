/// Weights of a node's rows, sliced into bit planes.
#include <algorithm>
#include <bit>

#include "node/node.hpp"
#include "kernels/padding.hpp"

namespace ostrya {

/// Slice the row sums afresh.
template <class Sum>
void NodeBuilder<Sum>::slice_weights(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    node.plane_slot.clear();
    node.plane_shift.clear();
    std::vector<std::uint32_t> first(slots + 1, 0);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        std::uint64_t any = 0;
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            any |= static_cast<std::uint64_t>(node.row_sums[row * slots + slot]);
        }
        const auto depth = static_cast<std::uint32_t>(std::bit_width(any));
        for (std::uint32_t shift = 0; shift < depth; ++shift) {
            node.plane_slot.push_back(slot);
            node.plane_shift.push_back(shift);
        }
        first[slot + 1] = first[slot] + depth;
    }
    const std::size_t n_planes = node.plane_slot.size();
    node.plane_bits.assign(n_planes * node.n_words, 0);
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        std::uint64_t* words = node.plane_bits.data() + row / 64 * n_planes;
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            auto left = static_cast<std::uint64_t>(node.row_sums[row * slots + slot]);
            for (; left != 0; left &= left - 1) {
                words[first[slot] +
                      static_cast<std::uint32_t>(std::countr_zero(left))] |= bit;
            }
        }
    }
}

/// Take over the parent's planes for the rows in `keep`.
template <class Sum>
void NodeBuilder<Sum>::compress_planes(const Node<Sum>& parent,
                                       const std::vector<std::uint64_t>& keep,
                                       Node<Sum>& child) {
    const std::size_t n_planes = parent.plane_slot.size();
    child.plane_slot = parent.plane_slot;
    child.plane_shift = parent.plane_shift;
    child.plane_bits.assign((child.n_words + 1) * n_planes, 0);
    compress_({parent.plane_bits.data(), n_planes}, n_planes, keep.data(),
              parent.n_words, child.plane_bits.data(), n_planes);
}

/// List the words that are not zero, slot by slot. Rows that prefer the same label
/// stand together, heaviest first, so most words of most planes are zero.
template <class Sum>
void NodeBuilder<Sum>::list_planes(Node<Sum>& node) {
    const std::size_t n_planes = node.plane_slot.size();
    node.planes.resize(reader_.size());
    for (std::vector<MaskWord>& words : node.planes) words.clear();
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const std::uint64_t* bits = node.plane_bits.data() + word * n_planes;
        for (std::size_t plane = 0; plane < n_planes; ++plane) {
            if (bits[plane] == 0) continue;
            node.planes[node.plane_slot[plane]].push_back(
                {bits[plane], word, node.plane_shift[plane]});
        }
    }
}

template void NodeBuilder<std::int32_t>::slice_weights(Node<std::int32_t>&);
template void NodeBuilder<std::int32_t>::compress_planes(
    const Node<std::int32_t>&, const std::vector<std::uint64_t>&, Node<std::int32_t>&);
template void NodeBuilder<std::int32_t>::list_planes(Node<std::int32_t>&);
template void NodeBuilder<std::int64_t>::slice_weights(Node<std::int64_t>&);
template void NodeBuilder<std::int64_t>::compress_planes(
    const Node<std::int64_t>&, const std::vector<std::uint64_t>&, Node<std::int64_t>&);
template void NodeBuilder<std::int64_t>::list_planes(Node<std::int64_t>&);

}  // namespace ostrya
