#include "tables/loss_set.hpp"

#include <algorithm>
#include <cstdlib>

namespace ostrya {

template <class Lane>
template <class Sum>
void LossSet<Lane>::take(const Node<Sum>& node,
                         const std::vector<TableColumn>& columns) {
    n_rows = node.n_rows;
    weights.resize(n_rows);
    potentials.resize(n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        const Sum* sums = node.row_sums.data() + 2 * std::size_t{row};
        weights[row] = static_cast<Lane>(sums[0] - sums[1]);
        potentials[row] = Weight{sums[0]} + sums[1];
    }
    cells = table_cells(node, columns);
    sum_up(columns);
}

template <class Lane>
void LossSet<Lane>::take_rows(const LossSet& from,
                              const std::vector<std::uint32_t>& rows,
                              const std::vector<TableColumn>& columns) {
    n_rows = static_cast<std::uint32_t>(rows.size());
    weights.resize(n_rows);
    potentials.resize(n_rows);
    cells.resize(columns.size() * n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        weights[row] = from.weights[rows[row]];
        potentials[row] = from.potentials[rows[row]];
    }
    for (std::size_t index = 0; index < columns.size(); ++index) {
        const std::uint16_t* source = from.cells.data() + index * from.n_rows;
        std::uint16_t* to = cells.data() + index * n_rows;
        for (std::uint32_t row = 0; row < n_rows; ++row) to[row] = source[rows[row]];
    }
    sum_up(columns);
}

template <class Lane>
void LossSet<Lane>::sum_up(const std::vector<TableColumn>& columns) {
    upto.assign(width_of(columns), 0);
    potential_upto.assign(upto.size(), 0);
    for (const TableColumn& column : columns) {
        Lane* sums = upto.data() + column.first;
        Weight* totals = potential_upto.data() + column.first;
        const std::uint16_t* cell = cells.data() + std::size_t{column.index} * n_rows;
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            sums[cell[row]] = static_cast<Lane>(sums[cell[row]] + weights[row]);
            totals[cell[row]] += potentials[row];
        }
        for (std::uint32_t at = 1; at < column.stride; ++at) {
            sums[at] = static_cast<Lane>(sums[at] + sums[at - 1]);
            totals[at] += totals[at - 1];
        }
    }
}

template <class Lane>
void LossSet<Lane>::take_rest(const LossSet& whole, const LossSet& part) {
    upto.resize(whole.upto.size());
    potential_upto.resize(upto.size());
    for (std::size_t at = 0; at < upto.size(); ++at) {
        upto[at] = static_cast<Lane>(whole.upto[at] - part.upto[at]);
        potential_upto[at] = whole.potential_upto[at] - part.potential_upto[at];
    }
}

/// A side parted into itself and nothing is where extremes start.
template <class Lane>
void LossSet<Lane>::clear_extremes() {
    for (std::vector<Lane>* extremes : {&yes_most, &yes_least, &no_most, &no_least}) {
        extremes->assign(upto.size(), 0);
    }
}

template <class Lane>
LossSums<Lane> LossSet<Lane>::sums_of(const TableColumn& outer,
                                      const TableColumn& inner) {
    const auto extremes = [this](const TableColumn& column) -> LossExtremes<Lane> {
        return {yes_most.data() + column.first, yes_least.data() + column.first,
                no_most.data() + column.first, no_least.data() + column.first};
    };
    return {upto.data() + inner.first, extremes(outer), extremes(inner)};
}

template <class Lane>
CutLosses LossSet<Lane>::losses(const TableColumn& column, std::uint32_t cut) const {
    const std::size_t at = column.first + cut, last = column.first + column.stride - 1;
    const auto lost = [](Weight potential, Weight won) {
        return (potential - won) / 2;
    };
    const auto two = [&](Weight potential, Weight sum, Weight most, Weight least) {
        return lost(potential,
                    std::max({std::abs(sum), 2 * most - sum, sum - 2 * least}));
    };
    const Weight yes = upto[at], no = Weight{upto[last]} - yes;
    const Weight in = potential_upto[at], out = potential_upto[last] - in;
    return {lost(in, std::abs(yes)), two(in, yes, yes_most[at], yes_least[at]),
            lost(out, std::abs(no)), two(out, no, no_most[at], no_least[at])};
}

template <class Lane>
Weight LossSet<Lane>::loss() const {
    // The last column ends with all rows.
    return (potential_upto.back() - std::abs(Weight{upto.back()})) / 2;
}

template <class Lane>
std::size_t LossSet<Lane>::bytes() const {
    return cells.capacity() * 2 + weights.capacity() * sizeof(Lane) +
           (potentials.capacity() + potential_upto.capacity()) * sizeof(Weight) +
           (upto.capacity() + 4 * yes_most.capacity()) * sizeof(Lane);
}

template <class Lane>
void LossScratch<Lane>::fit(const std::vector<TableColumn>& columns) {
    const TableColumn& widest = columns.back();
    above.resize(widest.stride);
    both.resize(widest.stride);
    const std::size_t largest = std::size_t{widest.n_cells} * widest.stride;
    if (table.size() < largest) table.resize(largest, 0);
}

template <class Lane>
LossTable<Lane> LossScratch<Lane>::count(const LossSet<Lane>& set,
                                         const TableColumn& outer,
                                         const TableColumn& inner) {
    loss_kernels<Lane>().add(rows_of<Lane>(set, outer, inner), table.data(),
                             inner.stride);
    return {table.data(), outer.n_cells, inner.stride, above.data(), both.data()};
}

template <class Lane>
std::size_t LossScratch<Lane>::bytes() const {
    return (table.capacity() + above.capacity() + both.capacity()) * sizeof(Lane);
}

template struct LossSet<std::int16_t>;
template struct LossSet<std::int32_t>;
template struct LossScratch<std::int16_t>;
template struct LossScratch<std::int32_t>;
template void LossSet<std::int16_t>::take(const Node<std::int32_t>&,
                                          const std::vector<TableColumn>&);
template void LossSet<std::int16_t>::take(const Node<std::int64_t>&,
                                          const std::vector<TableColumn>&);
template void LossSet<std::int32_t>::take(const Node<std::int32_t>&,
                                          const std::vector<TableColumn>&);
template void LossSet<std::int32_t>::take(const Node<std::int64_t>&,
                                          const std::vector<TableColumn>&);

}  // namespace ostrya
