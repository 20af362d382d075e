#include "tables/loss_tables.hpp"

namespace ostrya {

template <class Sum, class Lane>
void LossTables<Sum, Lane>::take(const Node<Sum>& node) {
    columns_ = table_columns(node);
    set_.take(node, columns_);
    set_.clear_extremes();
    scratch_.fit(columns_);
}

template <class Sum, class Lane>
void LossTables<Sum, Lane>::scan_column(std::size_t at) {
    const TableColumn& inner = columns_[at];
    for (std::size_t other = 0; other <= at; ++other) {
        const TableColumn& outer = columns_[other];
        loss_kernels<Lane>().scan(scratch_.count(set_, outer, inner),
                                  set_.sums_of(outer, inner));
    }
}

template <class Sum, class Lane>
void LossTables<Sum, Lane>::report(const Node<Sum>& node, Sum* yes_two,
                                   Sum* no_two) const {
    for (const TableColumn& column : columns_) {
        const std::size_t first = node.bit_stride + node.histograms[column.index].first;
        for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
            const CutLosses losses = set_.losses(column, cut);
            yes_two[first + cut] = static_cast<Sum>(losses.yes_two);
            no_two[first + cut] = static_cast<Sum>(losses.no_two);
        }
    }
}

template class LossTables<std::int32_t, std::int16_t>;
template class LossTables<std::int32_t, std::int32_t>;
template class LossTables<std::int64_t, std::int16_t>;
template class LossTables<std::int64_t, std::int32_t>;

}  // namespace ostrya
