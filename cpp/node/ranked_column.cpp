/// Columns of a node from local ranks: as bit columns when few cuts are worth making,
/// else as a histogram column.
#include <algorithm>
#include <cstring>

#include "node/node.hpp"
#include "kernels/padding.hpp"

namespace ostrya {
namespace {

/// Up to how many cuts a column is spread into bit columns. Counting a pair of bit
/// columns takes a few cycles per 512 rows; a histogram pays per row and column, then
/// nearly nothing per cut. Measured on 2,000 rows (bits win up to 160 cuts) and
/// 10,000 rows (histograms win from 20 cuts on).
std::uint32_t few_cuts(std::uint32_t n_rows) {
    return std::clamp<std::uint32_t>(200000 / (n_rows + 1), 8, 160);
}

}  // namespace

/// Room for `capacity` bit columns; more are added by widening.
template <class Sum>
void NodeBuilder<Sum>::begin_bits(std::uint32_t n_words, std::size_t capacity) {
    candidate_stride_ = padded(std::max<std::size_t>(capacity, 16));
    // One word more than the rows need: compression may touch it with zeros.
    candidates_.assign((n_words + 1) * candidate_stride_, 0);
    candidate_splits_.clear();
    candidate_next_.clear();
    candidate_previous_.clear();
}

template <class Sum>
void NodeBuilder<Sum>::widen_bits(std::uint32_t n_words, std::size_t n_columns) {
    const std::size_t stride = padded(2 * n_columns);
    std::vector<std::uint64_t> wider((n_words + 1) * stride, 0);
    for (std::uint32_t word = 0; word < n_words; ++word) {
        std::copy_n(candidates_.begin() + word * candidate_stride_,
                    candidate_splits_.size(), wider.begin() + word * stride);
    }
    candidates_ = std::move(wider);
    candidate_stride_ = stride;
}

template <class Sum>
void NodeBuilder<Sum>::add_column(Node<Sum>& node, const RankedColumn& column) {
    sum_ranks(node, column);
    keep_cuts(node, column);
    if (kept_cuts_.empty()) return;
    if (!node.has_cross_tables &&
        kept_cuts_.size() <= problem_.few_cuts.value_or(few_cuts(node.n_rows))) {
        spread_cuts(node, column);
    } else {
        add_histogram(node, column);
    }
}

/// Sum the rows of each rank.
template <class Sum>
void NodeBuilder<Sum>::sum_ranks(const Node<Sum>& node, const RankedColumn& column) {
    const std::uint32_t slots = reader_.size();
    rank_sums_.assign(std::size_t{column.n_ranks} * slots, 0);
    if (slots == 2 && sizeof(Sum) == 4) {
        // Both sums in one addition: neither is negative, so nothing is carried over.
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            const std::size_t rank = column.ranks[rows_[row]] - column.first;
            std::uint64_t pair = 0, sum = 0;
            std::memcpy(&pair, node.row_sums.data() + 2 * std::size_t{row}, 8);
            std::memcpy(&sum, rank_sums_.data() + 2 * rank, 8);
            sum += pair;
            std::memcpy(rank_sums_.data() + 2 * rank, &sum, 8);
        }
        return;
    }
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const std::size_t rank = column.ranks[rows_[row]] - column.first;
        const Sum* sums = node.row_sums.data() + std::size_t{row} * slots;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            rank_sums_[rank * slots + slot] += sums[slot];
        }
    }
    if (reader_.layout().n_masses == 0) return;
    rank_counts_.assign(column.n_ranks, 0);
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        ++rank_counts_[column.ranks[rows_[row]] - column.first];
    }
}

/// Find the cuts whose two children may be worth having (B3), and the new local rank
/// of each old one.
template <class Sum>
void NodeBuilder<Sum>::keep_cuts(const Node<Sum>& node, const RankedColumn& column) {
    const SumLayout& layout = reader_.layout();
    const std::uint32_t slots = reader_.size();
    // Rows are there if they count, weigh or could lose something.
    const auto rows_of = [&](std::uint32_t rank, const Sum* sums) -> Weight {
        if (layout.counts_rows) return sums[layout.count_slot()];
        return layout.n_masses > 0 ? rank_counts_[rank] : reader_.potential(sums, 1);
    };
    const Weight total = reader_.potential(node.total.data(), 1);
    const Weight n_total = layout.counts_rows    ? node.total[layout.count_slot()]
                           : layout.n_masses > 0 ? static_cast<Weight>(node.n_rows)
                                                 : total;
    const Weight least_count = layout.counts_rows ? problem_.min_samples_leaf : 1;
    kept_cuts_.clear();
    remap_.resize(column.n_ranks);
    Weight yes = 0, n_yes = 0;
    for (std::uint32_t rank = 0; rank < column.n_ranks; ++rank) {
        remap_[rank] = static_cast<std::uint32_t>(kept_cuts_.size());
        const Sum* sums = rank_sums_.data() + std::size_t{rank} * slots;
        const Weight n_here = rows_of(rank, sums);
        yes += reader_.potential(sums, 1);
        n_yes += n_here;
        if (n_here == 0 || n_yes == n_total) continue;
        if (yes > reader_.floor() && total - yes > reader_.floor() &&
            n_yes >= least_count && n_total - n_yes >= least_count) {
            kept_cuts_.push_back(rank);
        }
    }
}

template <class Sum>
void NodeBuilder<Sum>::spread_cuts(const Node<Sum>& node, const RankedColumn& column) {
    const std::size_t first = candidate_splits_.size();
    const std::size_t n_columns = first + kept_cuts_.size();
    if (n_columns > candidate_stride_) widen_bits(node.n_words, n_columns);
    for (const std::uint32_t rank : kept_cuts_) {
        candidate_splits_.push_back({column.column, column.cuts[rank]});
        const auto at = static_cast<std::uint32_t>(candidate_next_.size());
        candidate_next_.push_back(at + 1 < n_columns ? at + 1 : none);
        candidate_previous_.push_back(at > first ? at - 1 : none);
    }
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const std::uint32_t rank = column.ranks[rows_[row]] - column.first;
        std::uint64_t* words =
            candidates_.data() + row / 64 * candidate_stride_ + first;
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        for (std::size_t cut = remap_[rank]; cut < kept_cuts_.size(); ++cut) {
            words[cut] |= bit;
        }
    }
}

template <class Sum>
void NodeBuilder<Sum>::add_histogram(Node<Sum>& node, const RankedColumn& column) {
    const std::size_t index = node.histograms.size();
    const auto n_cuts = static_cast<std::uint32_t>(kept_cuts_.size());
    const std::uint32_t n_cells = padded(n_cuts + 1);
    node.histograms.push_back({column.column, node.n_cells, n_cells, n_cuts});
    for (const std::uint32_t rank : kept_cuts_) {
        node.cell_cuts.push_back(column.cuts[rank]);
    }
    node.cell_cuts.resize(node.n_cells + n_cells, none);
    const std::uint32_t slots = reader_.size();
    cell_sums_.resize(std::size_t{node.n_cells + n_cells} * slots, 0);
    for (std::uint32_t rank = 0; rank < column.n_ranks; ++rank) {
        Sum* sums = cell_sums_.data() + (node.n_cells + remap_[rank]) * slots;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            sums[slot] += rank_sums_[std::size_t{rank} * slots + slot];
        }
    }
    node.column_cells.resize((index + 1) * node.n_rows);
    std::uint32_t* cells = node.column_cells.data() + index * node.n_rows;
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const std::uint32_t rank = column.ranks[rows_[row]] - column.first;
        cells[row] = node.n_cells + remap_[rank];
    }
    node.n_cells += n_cells;
}

template void NodeBuilder<std::int32_t>::begin_bits(std::uint32_t, std::size_t);
template void NodeBuilder<std::int32_t>::add_column(Node<std::int32_t>&,
                                                    const RankedColumn&);
template void NodeBuilder<std::int64_t>::begin_bits(std::uint32_t, std::size_t);
template void NodeBuilder<std::int64_t>::add_column(Node<std::int64_t>&,
                                                    const RankedColumn&);

}  // namespace ostrya
