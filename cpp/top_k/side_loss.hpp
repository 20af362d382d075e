/// What one side of a split loses as a leaf.
#pragma once

#include <algorithm>
#include <cstdint>

#include "objective/sum_reader.hpp"

namespace ostrya {

/// `node` is of any kind that has sums of its splits.
template <class Node, class Sum>
Weight side_loss(const Node& node, const SumReader<Sum>& reader, std::uint32_t split,
                 bool yes) {
    const Sum* sums = node.splits.yes.data() + split;
    if (yes) return reader.loss(sums, node.splits.width);
    Weight gain = 0;
    for (std::uint32_t label = 0; label < reader.layout().n_labels; ++label) {
        gain = std::max<Weight>(gain, node.side_sum(label, split, false));
    }
    return reader.potential(node.rows.total.data(), 1) -
           reader.potential(sums, node.splits.width) - gain;
}

}  // namespace ostrya
