/// The rows of a node as cross tables see them: both classes, in narrow lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/table_columns.hpp"

namespace ostrya {

template <class Lane>
struct CrossSet {
    std::uint32_t n_rows = 0;
    std::vector<std::uint16_t> cells;      // of the rows, column by column
    std::vector<CrossCell<Lane>> weights;  // of the rows
    Lane total[2] = {};
    std::vector<Lane> upto;  // rows up to each cell: 2 x stride for each column
    // What is best below each cut, as in ChildBest.
    std::vector<Lane> yes_two, no_two, yes_cell, no_cell;

    template <class Sum>
    void take(const Node<Sum>& node, const std::vector<TableColumn>& columns);
    void clear_best(std::size_t width);
    /// As kernels want it.
    CrossSums<Lane> sums_of(const TableColumn& outer, const TableColumn& inner);
    std::size_t bytes() const;
};

/// Where tables are counted.
template <class Lane>
struct CrossScratch {
    std::vector<CrossCell<Lane>> table, above, sums;
    std::vector<Lane> both;

    void fit(const std::vector<TableColumn>& columns);
    /// Count the rows of a set.
    CrossTable<Lane> count(const CrossSet<Lane>& set, const TableColumn& outer,
                           const TableColumn& inner);
    std::size_t bytes() const;
};

}  // namespace ostrya
