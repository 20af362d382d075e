/// The columns of a node that have many cuts: each row's cell in every one of them.
///
/// Cells are numbered through, column by column. A column's last cell is not a split:
/// all rows are up to it.
#pragma once

#include <cassert>
#include <cstdint>

#include "kernels/kernels.hpp"
#include "memory/budget.hpp"

namespace ostrya {

struct HistogramColumn {
    std::uint32_t column = 0;   // in Problem::splits
    std::uint32_t first = 0;    // its first cell, counted from the node's first cell
    std::uint32_t n_cells = 0;  // distinct local ranks, padded to whole blocks
    std::uint32_t n_cuts = 0;

    std::size_t first_block() const { return first / cells_per_block; }
    std::size_t n_blocks() const { return n_cells / cells_per_block; }
};

template <class Sum>
struct Histograms {
    /// What goes with the rows and what goes with the cells are counted apart.
    Histograms(MemoryBudget& of_rows, MemoryBudget& of_cells)
        : columns(of_cells),
          column_cells(of_rows),
          row_cells(of_rows),
          cuts(of_cells),
          sorted_rows(of_rows),
          ends(of_cells),
          yes_before(of_cells),
          yes_after(of_cells) {}

    bool empty() const { return columns.empty(); }
    std::size_t size() const { return columns.size(); }
    std::size_t n_blocks() const { return n_cells / cells_per_block; }

    /// Cells of the rows in one column.
    const std::uint32_t* cells_of(std::size_t index) const {
        return column_cells.data() + index * n_rows;
    }
    /// The column with this cell.
    std::uint32_t column_with(std::uint32_t cell) const {
        assert(cell < n_cells);
        std::uint32_t index = 0;
        while (columns[index].first + columns[index].n_cells <= cell) ++index;
        return index;
    }
    /// Whether cells hold so few rows that summing those of a block when it is looked
    /// into is faster than keeping the sums of all cells up to date.
    bool are_sparse() const { return n_rows * size() <= std::size_t{4} * n_cells; }

    /// Start over, for this many rows.
    void clear(std::uint32_t rows) {
        n_rows = rows;
        n_cells = 0;
        columns.clear();
        cuts.clear();
    }
    /// Once all columns are there: their cells row by row, and rows sorted by cell.
    void list_row_cells();
    void sort_rows();
    /// Sums before and after each block, from those up to each cell (slots x width).
    void sum_blocks(const Sum* yes, std::size_t width);

    std::uint32_t n_rows = 0;
    std::uint32_t n_cells = 0;
    Vector<HistogramColumn> columns;
    Vector<std::uint32_t> column_cells;  // columns x rows
    /// The same row by row, unless pairs are counted in tables.
    Vector<std::uint32_t> row_cells;
    Vector<std::uint32_t> cuts;  // cut of Problem::splits that each cell ends at
    /// Where cells are sparse: rows of each column in the order of its cells (columns x
    /// rows), and where among them the rows of each cell end.
    Vector<std::uint32_t> sorted_rows, ends;
    /// Sums of the rows before and after each block: slots x blocks, two classes only.
    Vector<Sum> yes_before, yes_after;
};

/// Sort `n_rows` rows by their cells, of which there are `column.n_cells`; `ends` tells
/// where the rows of each cell end.
void sort_by_cell(const std::uint32_t* cells, const HistogramColumn& column,
                  std::uint32_t n_rows, std::uint32_t* rows, std::uint32_t* ends);

}  // namespace ostrya
