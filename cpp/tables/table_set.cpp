#include "tables/table_set.hpp"

namespace ostrya {

template <class Kind>
void TableSet<Kind>::read_rows(const TableSet& from, const Vector<std::uint32_t>& rows,
                               const TableColumns& columns) {
    n_rows = static_cast<std::uint32_t>(rows.size());
    weights.resize(n_rows);
    cells.resize(columns.size() * n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        weights[row] = from.weights[rows[row]];
    }
    for (std::size_t index = 0; index < columns.size(); ++index) {
        const std::uint16_t* source = from.cells.data() + index * from.n_rows;
        std::uint16_t* to = cells.data() + index * n_rows;
        for (std::uint32_t row = 0; row < n_rows; ++row) to[row] = source[rows[row]];
    }
    assert(Kind::n_slots == 1);
    upto.assign(columns.width(), 0);
    for (const TableColumn& column : columns) {
        Lane* sums = upto.data() + column.first;
        const std::uint16_t* cell = cells.data() + std::size_t{column.index} * n_rows;
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            sums[cell[row]] = static_cast<Lane>(sums[cell[row]] + weights[row]);
        }
        for (std::uint32_t at = 1; at < column.stride; ++at) {
            sums[at] = static_cast<Lane>(sums[at] + sums[at - 1]);
        }
    }
}

template <class Kind>
void TableSet<Kind>::read_rest(const TableSet& whole, const TableSet& part) {
    upto.resize(whole.upto.size());
    for (std::size_t at = 0; at < upto.size(); ++at) {
        upto[at] = static_cast<Lane>(whole.upto[at] - part.upto[at]);
    }
}

template <class Kind>
typename Kind::Sums TableSet<Kind>::sums_of(const TableColumn& outer,
                                            const TableColumn& inner) {
    const Lane* inner_upto = upto.data() + Kind::n_slots * inner.first;
    if constexpr (Kind::n_slots == 2) {
        return {inner_upto, total[0], total[1], best_of(outer), best_of(inner)};
    } else {
        return {inner_upto, best_of(outer), best_of(inner)};
    }
}

template <class Kind>
void TableScratch<Kind>::fit(const TableColumns& columns) {
    const TableColumn& widest = columns.widest();
    above_.resize(widest.stride);
    sums_.resize(widest.stride);
    both_.resize(Kind::n_slots * widest.stride);
    const std::size_t largest = std::size_t{widest.n_cells} * widest.stride;
    if (table_.size() < largest) table_.resize(largest, 0);
}

template <class Kind>
auto TableScratch<Kind>::count(const TableSet<Kind>& set, const TableColumn& outer,
                               const TableColumn& inner) -> PairTable<Cell, Lane> {
    const std::size_t n = set.n_rows;
    const TableRows<Cell> rows{set.cells.data() + outer.index * n,
                               set.cells.data() + inner.index * n, set.weights.data(),
                               n};
    Kind::kernels().add(rows, table_.data(), inner.stride);
    return {table_.data(), outer.n_cells, inner.stride,
            above_.data(), sums_.data(),  both_.data()};
}

template struct TableSet<Masses<std::uint16_t>>;
template struct TableSet<Masses<std::uint32_t>>;
template struct TableSet<Differences<std::int16_t>>;
template struct TableSet<Differences<std::int32_t>>;
template class TableScratch<Masses<std::uint16_t>>;
template class TableScratch<Masses<std::uint32_t>>;
template class TableScratch<Differences<std::int16_t>>;
template class TableScratch<Differences<std::int32_t>>;

}  // namespace ostrya
