#include "node/useful_cuts.hpp"

#include <cstring>

namespace ostrya {

template <class Sum>
void UsefulCuts<Sum>::sum_ranks(const NodeRows<Sum>& rows, const RankedColumn& column,
                                const Vector<std::uint32_t>& source) {
    const std::uint32_t slots = reader_.size();
    rank_sums_.assign(std::size_t{column.n_ranks} * slots, 0);
    if (slots == 2 && sizeof(Sum) == 4) {
        // Both sums in one addition: neither is negative, so nothing is carried over.
        for (std::uint32_t row = 0; row < rows.n; ++row) {
            const std::size_t rank = column.ranks[source[row]] - column.first;
            std::uint64_t pair = 0, sum = 0;
            std::memcpy(&pair, rows.sums.data() + 2 * std::size_t{row}, 8);
            std::memcpy(&sum, rank_sums_.data() + 2 * rank, 8);
            sum += pair;
            std::memcpy(rank_sums_.data() + 2 * rank, &sum, 8);
        }
        return;
    }
    for (std::uint32_t row = 0; row < rows.n; ++row) {
        const std::size_t rank = column.ranks[source[row]] - column.first;
        const Sum* sums = rows.sums.data() + std::size_t{row} * slots;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            rank_sums_[rank * slots + slot] += sums[slot];
        }
    }
    if (reader_.layout().n_masses == 0) return;
    rank_counts_.assign(column.n_ranks, 0);
    for (std::uint32_t row = 0; row < rows.n; ++row) {
        ++rank_counts_[column.ranks[source[row]] - column.first];
    }
}

template <class Sum>
void UsefulCuts<Sum>::find(const NodeRows<Sum>& rows, const RankedColumn& column,
                           const Vector<std::uint32_t>& source) {
    sum_ranks(rows, column, source);
    // A copy, so that compilers see that nothing written below changes it.
    const SumReader<Sum> reader = reader_;
    const SumLayout& layout = reader.layout();
    // Rows are there if they count, weigh or could lose something.
    const auto rows_of = [&](std::uint32_t rank, const Sum* sums,
                             Weight potential) -> Weight {
        if (layout.counts_rows) return sums[layout.count_slot()];
        return layout.n_masses > 0 ? rank_counts_[rank] : potential;
    };
    const Weight total = reader.potential(rows.total.data(), 1);
    const Weight n_total = layout.counts_rows    ? rows.total[layout.count_slot()]
                           : layout.n_masses > 0 ? static_cast<Weight>(rows.n)
                                                 : total;
    const Weight least_count = layout.counts_rows ? reader.min_count() : 1;
    const Weight floor = reader.floor();
    cuts_.clear();
    new_rank_.resize(column.n_ranks);
    Weight yes = 0, n_yes = 0;
    for (std::uint32_t rank = 0; rank < column.n_ranks; ++rank) {
        new_rank_[rank] = static_cast<std::uint32_t>(cuts_.size());
        const Sum* sums = rank_sums_.data() + std::size_t{rank} * reader.size();
        const Weight here = reader.potential(sums, 1);
        const Weight n_here = rows_of(rank, sums, here);
        yes += here;
        n_yes += n_here;
        if (n_here == 0 || n_yes == n_total) continue;
        if (yes > floor && total - yes > floor && n_yes >= least_count &&
            n_total - n_yes >= least_count) {
            cuts_.push_back(column.cuts[rank]);
        }
    }
    assert(yes == total);
}

template class UsefulCuts<std::int32_t>;
template class UsefulCuts<std::int64_t>;

}  // namespace ostrya
