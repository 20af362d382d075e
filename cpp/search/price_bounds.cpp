#include "search/price_bounds.hpp"

#include <numeric>

namespace ostrya {

/// Sum prices over the rows of each bit column, four rows at a time: what any of the
/// sixteen ways to choose from them pay together is worked out once for all columns.
template <class Sum>
void PriceBounds::add_bit_columns(const Node<Sum>& node) {
    node_prices_.resize((node.rows.n + 3) / 4 * 4);
    std::int64_t paid[16] = {};
    for (std::uint32_t row = 0; row < node.rows.n; row += 4) {
        for (std::uint32_t at = 0; at < 4; ++at) {
            for (std::uint32_t part = 0; part < 1u << at; ++part) {
                paid[part + (1u << at)] = paid[part] + node_prices_[row + at];
            }
        }
        const std::uint64_t* bits =
            node.bits.words.data() + std::size_t{row / 64} * node.bits.stride;
        for (std::uint32_t split = 0; split < node.bits.n; ++split) {
            sums_[split] += paid[bits[split] >> row % 64 & 15];
        }
    }
}

template <class Sum>
void PriceBounds::raise(Level<Sum>& level) {
    const Node<Sum>& node = level.node;
    node_prices_.resize(node.rows.n);
    std::int64_t total = 0;
    for (std::uint32_t row = 0; row < node.rows.n; ++row) {
        node_prices_[row] = (*index_)[node.rows.keys[row]];
        total += node_prices_[row];
    }
    sums_.assign(node.splits.width, 0);
    add_bit_columns(node);
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const HistogramColumn& column = node.histograms.columns[index];
        const std::uint32_t* cells = node.histograms.cells_of(index);
        std::int64_t* sums = sums_.data() + node.bits.stride;
        for (std::uint32_t row = 0; row < node.rows.n; ++row) {
            sums[cells[row]] += node_prices_[row];
        }
        std::partial_sum(sums + column.first, sums + column.first + column.n_cells,
                         sums + column.first);
    }
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!node.splits.is_split[split]) continue;
        level.bounds.raise_both(split, lower(sums_[split]),
                                lower(total - sums_[split]));
    }
}

template void PriceBounds::raise(Level<std::int32_t>& level);
template void PriceBounds::raise(Level<std::int64_t>& level);

}  // namespace ostrya
