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
    if (reader_.layout().counts_rows || !reader_.layout().keeps_every_row()) return;
    rank_counts_.assign(column.n_ranks, 0);
    for (std::uint32_t row = 0; row < rows.n; ++row) {
        ++rank_counts_[column.ranks[source[row]] - column.first];
    }
}

template <class Sum>
void UsefulCuts<Sum>::find(const NodeRows<Sum>& rows, const RankedColumn& column,
                           const Vector<std::uint32_t>& source) {
    sum_ranks(rows, column, source);
    const SumLayout& layout = reader_.layout();
    const std::size_t slots = reader_.size();
    const Sum* sums = rank_sums_.data();
    if (layout.is_binary() && !layout.keeps_every_row()) {
        // Most problems: rows are there if they could lose something, and both are
        // added up without a look at the layout.
        const Weight total = reader_.potential(rows.total.data(), 1);
        list(column, {total, total}, [sums](std::uint32_t rank) {
            const Weight here =
                Weight{sums[2 * std::size_t{rank}]} + sums[2 * std::size_t{rank} + 1];
            return Part{here, here};
        });
        return;
    }
    // Rows are there if they count, weigh or could lose something.
    const auto part = [&](const Sum* of_rows, Weight n_rows) {
        const Weight potential = reader_.potential(of_rows, 1);
        return Part{potential, layout.counts_rows         ? of_rows[layout.count_slot()]
                               : layout.keeps_every_row() ? n_rows
                                                          : potential};
    };
    list(column, part(rows.total.data(), rows.n), [&](std::uint32_t rank) {
        return part(sums + rank * slots, rank_counts_.empty() ? 0 : rank_counts_[rank]);
    });
}

/// List the cuts, with what the rows of each rank are to both sides of a cut. Useful
/// or not, a cut is written to the end of the list: which it is, is hard to foresee.
template <class Sum>
template <class PartOf>
void UsefulCuts<Sum>::list(const RankedColumn& column, Part total,
                           const PartOf& part_of) {
    const Weight least_count = reader_.layout().counts_rows ? reader_.min_count() : 1;
    const Weight floor = reader_.floor();
    cuts_.resize(column.n_ranks);
    new_rank_.resize(column.n_ranks);
    std::uint32_t* const cuts = cuts_.data();
    std::uint32_t* const new_rank = new_rank_.data();
    std::uint32_t n_cuts = 0;
    Part yes{0, 0};
    for (std::uint32_t rank = 0; rank < column.n_ranks; ++rank) {
        const Part here = part_of(rank);
        new_rank[rank] = n_cuts;
        cuts[n_cuts] = column.cuts[rank];
        yes.potential += here.potential;
        yes.n_rows += here.n_rows;
        n_cuts += static_cast<std::uint32_t>(here.n_rows != 0) &
                  static_cast<std::uint32_t>(yes.potential > floor) &
                  static_cast<std::uint32_t>(total.potential - yes.potential > floor) &
                  static_cast<std::uint32_t>(yes.n_rows >= least_count) &
                  static_cast<std::uint32_t>(total.n_rows - yes.n_rows >= least_count);
    }
    cuts_.resize(n_cuts);
    assert(yes.potential == total.potential);
}

template class UsefulCuts<std::int32_t>;
template class UsefulCuts<std::int64_t>;

}  // namespace ostrya
