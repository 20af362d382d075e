#include "tables/pair_tables.hpp"

#include <algorithm>

#include "tables/two_leaf_loss.hpp"

namespace ostrya {

template <class Sum, class Kind>
void PairTables<Sum, Kind>::read(const Node<Sum>& node) {
    columns_.read(node);
    set_.read(node, columns_);
    set_.clear_best(columns_.width());
    scratch_.fit(columns_);
}

/// Of the table of a column with itself only the diagonal is filled: there a second cut
/// is one of the same column.
template <class Sum, class Kind>
void PairTables<Sum, Kind>::scan_column(std::size_t at, Weight floor) {
    const TableColumn& inner = columns_[at];
    for (std::size_t other = 0; other <= at; ++other) {
        const TableColumn& outer = columns_[other];
        const auto table = scratch_.count(set_, outer, inner);
        const auto sums = set_.sums_of(outer, inner);
        if constexpr (Kind::n_slots == 2) {
            using Lane = typename Kind::Lane;
            const Weight most = static_cast<Lane>(-1);
            Kind::kernels().scan(table, sums, static_cast<Lane>(std::min(floor, most)));
        } else {
            Kind::kernels().scan(table, sums);
        }
    }
}

template <class Sum, class Kind>
void PairTables<Sum, Kind>::write(const Node<Sum>& node,
                                  const ChildBestArrays<Sum>& best) const {
    for (const TableColumn& column : columns_) {
        const std::uint32_t first =
            node.first_split(node.histograms.columns[column.index]);
        for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
            const std::uint32_t split = first + cut;
            const std::size_t at = column.first + cut;
            if constexpr (Kind::n_slots == 2) {
                const auto loss = [&](const auto& of) {
                    return of[at] == Kind::start ? unreachable_loss<Sum>
                                                 : static_cast<Sum>(of[at]);
                };
                best.yes_two[split] = loss(set_.best[0]);
                best.no_two[split] = loss(set_.best[1]);
                best.yes_cell[split] = loss(set_.best[2]);
                best.no_cell[split] = loss(set_.best[3]);
            } else {
                const Weight yes =
                    Weight{node.splits.sum(0, split)} + node.splits.sum(1, split);
                const Weight all =
                    Weight{node.rows.total[0]} + Weight{node.rows.total[1]};
                const CutLosses losses = cut_losses(set_, column, cut, yes, all);
                best.yes_two[split] = static_cast<Sum>(losses.yes_two);
                best.no_two[split] = static_cast<Sum>(losses.no_two);
            }
        }
    }
}

template class PairTables<std::int32_t, Masses<std::uint16_t>>;
template class PairTables<std::int32_t, Masses<std::uint32_t>>;
template class PairTables<std::int32_t, Differences<std::int16_t>>;
template class PairTables<std::int32_t, Differences<std::int32_t>>;
template class PairTables<std::int64_t, Masses<std::uint16_t>>;
template class PairTables<std::int64_t, Masses<std::uint32_t>>;
template class PairTables<std::int64_t, Differences<std::int16_t>>;
template class PairTables<std::int64_t, Differences<std::int32_t>>;

}  // namespace ostrya
