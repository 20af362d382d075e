#include "tables/cross_tables.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum, class Lane>
void CrossTables<Sum, Lane>::take(const Node<Sum>& node) {
    columns_ = table_columns(node);
    set_.take(node, columns_);
    set_.clear_best(width_of(columns_));
    scratch_.fit(columns_);
}

/// Of the table of a column with itself only the diagonal is filled: there a second cut
/// is one of the same column.
template <class Sum, class Lane>
void CrossTables<Sum, Lane>::scan_column(std::size_t at, Weight floor) {
    const auto narrow_floor =
        static_cast<Lane>(std::min<Weight>(floor, static_cast<Lane>(-1)));
    const TableColumn& inner = columns_[at];
    for (std::size_t other = 0; other <= at; ++other) {
        const TableColumn& outer = columns_[other];
        cross_kernels<Lane>().scan(scratch_.count(set_, outer, inner),
                                   set_.sums_of(outer, inner), narrow_floor);
    }
}

template <class Sum, class Lane>
void CrossTables<Sum, Lane>::report(const Node<Sum>& node,
                                    const ChildBestArrays<Sum>& best) const {
    const auto copy = [&](const std::vector<Lane>& from, Sum* to) {
        for (const TableColumn& column : columns_) {
            const std::size_t first =
                node.bit_stride + node.histograms[column.index].first;
            for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
                const Lane loss = from[column.first + cut];
                to[first + cut] = loss == static_cast<Lane>(-1)
                                      ? no_loss<Sum>
                                      : static_cast<Sum>(loss);
            }
        }
    };
    copy(set_.yes_two, best.yes_two);
    copy(set_.no_two, best.no_two);
    copy(set_.yes_cell, best.yes_cell);
    copy(set_.no_cell, best.no_cell);
}

template class CrossTables<std::int32_t, std::uint16_t>;
template class CrossTables<std::int32_t, std::uint32_t>;
template class CrossTables<std::int64_t, std::uint16_t>;
template class CrossTables<std::int64_t, std::uint32_t>;

}  // namespace ostrya
