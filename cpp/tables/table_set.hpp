/// Rows of a node, or of one of its children, as tables see them: two classes only.
///
/// There are two kinds of tables. `Masses` keep both classes of a cell side by side and
/// give what deeper children need, too. `Differences` keep one number per cell, what
/// its rows gain by the one label less what they gain by the other: half the work where
/// only losses count (kernels/loss_table.hpp). Lanes are as wide as the potential of
/// the node needs.
#pragma once

#include <array>
#include <cstdint>

#include "tables/table_columns.hpp"

namespace ostrya {

template <class LaneType>
struct Masses {
    using Lane = LaneType;
    using Cell = CrossCell<Lane>;
    using Best = CrossBest<Lane>;
    using Sums = CrossSums<Lane>;
    static constexpr std::uint32_t n_slots = 2;
    static constexpr Lane start = static_cast<Lane>(-1);  // more than any loss

    template <class Sum>
    static Cell weight(const Sum* sums) {
        return static_cast<Cell>(static_cast<Cell>(sums[0]) | static_cast<Cell>(sums[1])
                                                                  << 8 * sizeof(Lane));
    }
    template <class Sum>
    static std::array<Lane, 2> lanes_of(Sum zero, Sum one) {
        return {static_cast<Lane>(zero), static_cast<Lane>(one)};
    }
    static const CrossKernels<Lane>& kernels() { return cross_kernels<Lane>(); }
};

template <class LaneType>
struct Differences {
    using Lane = LaneType;
    using Cell = Lane;
    using Best = LossExtremes<Lane>;
    using Sums = LossSums<Lane>;
    static constexpr std::uint32_t n_slots = 1;
    static constexpr Lane start = 0;  // a side parted into itself and nothing

    template <class Sum>
    static Cell weight(const Sum* sums) {
        return static_cast<Cell>(sums[0] - sums[1]);
    }
    template <class Sum>
    static std::array<Lane, 1> lanes_of(Sum zero, Sum one) {
        return {static_cast<Lane>(zero - one)};
    }
    static const LossKernels<Lane>& kernels() { return loss_kernels<Lane>(); }
};

template <class Kind>
struct TableSet {
    using Lane = typename Kind::Lane;
    using Cell = typename Kind::Cell;

    explicit TableSet(MemoryBudget& memory)
        : cells(memory),
          weights(memory),
          upto(memory),
          best{Vector<Lane>(memory), Vector<Lane>(memory), Vector<Lane>(memory),
               Vector<Lane>(memory)} {}

    /// The rows of a node all of whose columns are histograms.
    template <class Sum>
    void read(const Node<Sum>& node, const TableColumns& columns);
    /// The listed rows of another set; for Differences.
    void read_rows(const TableSet& from, const Vector<std::uint32_t>& rows,
                   const TableColumns& columns);
    /// What is left of a set without a part of it: no rows, sums only.
    void read_rest(const TableSet& whole, const TableSet& part);

    void clear_best(std::size_t width) {
        for (Vector<Lane>& each : best) each.assign(width, Kind::start);
    }
    /// As kernels want it.
    typename Kind::Sums sums_of(const TableColumn& outer, const TableColumn& inner);

    std::uint32_t n_rows = 0;
    Vector<std::uint16_t> cells;  // of the rows, column by column
    Vector<Cell> weights;         // of the rows
    Vector<Lane> upto;            // rows up to each cell: slots x stride per column
    std::array<Lane, Kind::n_slots> total{};
    std::array<Vector<Lane>, 4> best;  // below each cut, as in Kind::Best

private:
    typename Kind::Best best_of(const TableColumn& column) {
        return {best[0].data() + column.first, best[1].data() + column.first,
                best[2].data() + column.first, best[3].data() + column.first};
    }
};

template <class Kind>
template <class Sum>
void TableSet<Kind>::read(const Node<Sum>& node, const TableColumns& columns) {
    n_rows = node.rows.n;
    weights.resize(n_rows);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        weights[row] = Kind::weight(node.rows.sums.data() + 2 * std::size_t{row});
    }
    cells.resize(columns.size() * n_rows);
    upto.resize(Kind::n_slots * columns.width());
    total = Kind::lanes_of(node.rows.total[0], node.rows.total[1]);
    for (const TableColumn& column : columns) {
        const HistogramColumn& source = node.histograms.columns[column.index];
        const std::uint32_t* from = node.histograms.cells_of(column.index);
        std::uint16_t* to = cells.data() + std::size_t{column.index} * n_rows;
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            to[row] = static_cast<std::uint16_t>(from[row] - source.first);
        }
        const std::uint32_t first = node.first_split(source);
        Lane* sums = upto.data() + Kind::n_slots * column.first;
        for (std::uint32_t cell = 0; cell < column.stride; ++cell) {
            const auto here = cell < column.n_cells
                                  ? Kind::lanes_of(node.splits.sum(0, first + cell),
                                                   node.splits.sum(1, first + cell))
                                  : total;
            for (std::uint32_t slot = 0; slot < Kind::n_slots; ++slot) {
                sums[slot * column.stride + cell] = here[slot];
            }
        }
    }
}

/// Where tables are counted.
template <class Kind>
class TableScratch {
public:
    using Cell = typename Kind::Cell;
    using Lane = typename Kind::Lane;

    explicit TableScratch(MemoryBudget& memory)
        : table_(memory), above_(memory), sums_(memory), both_(memory) {}

    void fit(const TableColumns& columns);
    /// Count the rows of a set by two of its columns.
    PairTable<Cell, Lane> count(const TableSet<Kind>& set, const TableColumn& outer,
                                const TableColumn& inner);

private:
    Vector<Cell> table_, above_, sums_;
    Vector<Lane> both_;
};

}  // namespace ostrya
