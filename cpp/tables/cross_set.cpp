#include "tables/cross_set.hpp"

namespace ostrya {

template <class Lane>
template <class Sum>
void CrossSet<Lane>::take(const Node<Sum>& node,
                          const std::vector<TableColumn>& columns) {
    using Cell = CrossCell<Lane>;
    n_rows = node.n_rows;
    weights.resize(n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        const Sum* sums = node.row_sums.data() + 2 * std::size_t{row};
        weights[row] = static_cast<Cell>(sums[0]) | static_cast<Cell>(sums[1])
                                                        << 8 * sizeof(Lane);
    }
    cells = table_cells(node, columns);
    upto.resize(2 * width_of(columns));
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
        total[slot] = static_cast<Lane>(node.total[slot]);
        for (const TableColumn& column : columns) {
            const Sum* yes = node.yes.data() + slot * node.width + node.bit_stride +
                             node.histograms[column.index].first;
            Lane* to = upto.data() + 2 * column.first + slot * column.stride;
            for (std::uint32_t cell = 0; cell < column.stride; ++cell) {
                to[cell] =
                    cell < column.n_cells ? static_cast<Lane>(yes[cell]) : total[slot];
            }
        }
    }
}

template <class Lane>
void CrossSet<Lane>::clear_best(std::size_t width) {
    for (std::vector<Lane>* best : {&yes_two, &no_two, &yes_cell, &no_cell}) {
        best->assign(width, static_cast<Lane>(-1));
    }
}

template <class Lane>
CrossSums<Lane> CrossSet<Lane>::sums_of(const TableColumn& outer,
                                        const TableColumn& inner) {
    const auto best = [this](const TableColumn& column) -> CrossBest<Lane> {
        return {yes_two.data() + column.first, no_two.data() + column.first,
                yes_cell.data() + column.first, no_cell.data() + column.first};
    };
    return {upto.data() + 2 * inner.first, total[0], total[1], best(outer),
            best(inner)};
}

template <class Lane>
std::size_t CrossSet<Lane>::bytes() const {
    return cells.capacity() * 2 + weights.capacity() * sizeof(CrossCell<Lane>) +
           (upto.capacity() + 4 * yes_two.capacity()) * sizeof(Lane);
}

template <class Lane>
void CrossScratch<Lane>::fit(const std::vector<TableColumn>& columns) {
    const TableColumn& widest = columns.back();
    above.resize(widest.stride);
    sums.resize(widest.stride);
    both.resize(2 * widest.stride);
    const std::size_t largest = std::size_t{widest.n_cells} * widest.stride;
    if (table.size() < largest) table.resize(largest, 0);
}

template <class Lane>
CrossTable<Lane> CrossScratch<Lane>::count(const CrossSet<Lane>& set,
                                           const TableColumn& outer,
                                           const TableColumn& inner) {
    cross_kernels<Lane>().add(rows_of<CrossCell<Lane>>(set, outer, inner), table.data(),
                              inner.stride);
    return {table.data(), outer.n_cells, inner.stride,
            above.data(), sums.data(),   both.data()};
}

template <class Lane>
std::size_t CrossScratch<Lane>::bytes() const {
    return (table.capacity() + above.capacity() + sums.capacity()) *
               sizeof(CrossCell<Lane>) +
           both.capacity() * sizeof(Lane);
}

template struct CrossSet<std::uint16_t>;
template struct CrossSet<std::uint32_t>;
template struct CrossScratch<std::uint16_t>;
template struct CrossScratch<std::uint32_t>;
template void CrossSet<std::uint16_t>::take(const Node<std::int32_t>&,
                                            const std::vector<TableColumn>&);
template void CrossSet<std::uint16_t>::take(const Node<std::int64_t>&,
                                            const std::vector<TableColumn>&);
template void CrossSet<std::uint32_t>::take(const Node<std::int32_t>&,
                                            const std::vector<TableColumn>&);
template void CrossSet<std::uint32_t>::take(const Node<std::int64_t>&,
                                            const std::vector<TableColumn>&);

}  // namespace ostrya
