#include "search/cross_tables.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum, class Lane>
void CrossTables<Sum, Lane>::take(const Node<Sum>& node) {
    columns_ = cross_columns(node);
    set_.take(node, columns_);
    set_.clear_best(width_of(columns_));
    scratch_.fit(columns_);
}

/// Of the table of a column with itself only the diagonal is filled: there a second cut
/// is one of the same column.
template <class Sum, class Lane>
void CrossTables<Sum, Lane>::scan_column(std::size_t at, bool with_cells,
                                         Weight floor) {
    const CrossKernels<Lane>& kernels = cross_kernels<Lane>();
    const auto scan = with_cells ? kernels.bounds : kernels.losses;
    const auto narrow_floor =
        static_cast<Lane>(std::min<Weight>(floor, static_cast<Lane>(-1)));
    for (std::size_t inner = 0; inner <= at; ++inner) {
        scan(scratch_.count(set_, columns_[at], columns_[inner]),
             set_.sums_of(columns_[at], columns_[inner]), narrow_floor);
    }
}

template <class Sum, class Lane>
void CrossTables<Sum, Lane>::report(const Node<Sum>& node,
                                    const ChildBestArrays<Sum>& best) const {
    const auto copy = [&](const std::vector<Lane>& from, Sum* to) {
        for (const CrossColumn& column : columns_) {
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
