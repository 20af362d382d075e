/// The columns of a node that have many cuts: each row's cell in every one of them.
///
/// Cells are numbered through, column by column. A column's last cell is not a split:
/// all rows are up to it.
#pragma once

#include <cassert>
#include <cstdint>

#include "kernels/kernels.hpp"
#include "memory/budget.hpp"
#include "objective/problem.hpp"

namespace ostrya {

struct HistogramColumn {
    std::uint32_t column = 0;   // in Problem::splits
    std::uint32_t first = 0;    // its first cell, counted from the node's first cell
    std::uint32_t n_cells = 0;  // distinct local ranks, padded to whole blocks
    std::uint32_t n_cuts = 0;

    std::size_t first_block() const { return first / cells_per_block; }
    std::size_t n_blocks() const { return n_cells / cells_per_block; }
};

/// What a row gains by its best label. `no_label` marks the rows that gain by several
/// labels; there the gain is not used.
template <class Sum>
struct RowGain {
    static constexpr std::uint32_t no_label = ~std::uint32_t{0};

    Sum gain = 0;
    std::uint32_t label = no_label;
};

/// Blocks of cells for any number of labels. A block ends at a boundary, and each
/// column has one more boundary in front of its first block. Sums at a boundary are
/// `lanes` numbers, one per label, padded with zeros.
template <class Sum>
struct LabelBlocks {
    LabelBlocks(MemoryBudget& of_rows, MemoryBudget& of_cells)
        : first(of_cells),
          row_ends(of_rows),
          upto(of_cells),
          counts_upto(of_cells),
          gains(of_rows) {}

    bool empty() const { return first.empty(); }
    std::size_t n_boundaries() const { return first.empty() ? 0 : first.back(); }

    std::uint32_t lanes = 0;
    std::uint32_t shift = 0;      // a block has 2^shift cells
    Vector<std::uint32_t> first;  // boundary of each column, and their number
    /// The boundary at the end of each row's block: rows x columns.
    Vector<std::uint32_t> row_ends;
    Vector<Sum> upto;            // rows up to each boundary: boundaries x lanes
    Vector<Sum> counts_upto;     // and how many, where rows are counted
    Vector<RowGain<Sum>> gains;  // by row
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
          yes_after(of_cells),
          labels(of_rows, of_cells) {}

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
    bool are_sparse() const { return hold_at_most(4); }
    /// Whether cells hold at most this many rows on average.
    bool hold_at_most(std::size_t rows_per_cell) const {
        return n_rows * size() <= rows_per_cell * n_cells;
    }

    /// Start over, for this many rows.
    void clear(std::uint32_t rows) {
        n_rows = rows;
        n_cells = 0;
        columns.clear();
        cuts.clear();
        labels.first.clear();
    }
    /// Once all columns are there: their cells row by row, and rows sorted by cell.
    void list_row_cells();
    /// Sort them where cells hold at most this many rows on average.
    void sort_rows(std::size_t rows_per_cell);
    /// Sums before and after each block, from those up to each cell (slots x width).
    void sum_blocks(const Sum* yes, std::size_t width);
    /// The same for any number of labels; `gains` of the rows are there already.
    void sum_label_blocks(const Sum* yes, std::size_t width, const SumLayout& layout);

    std::uint32_t n_rows = 0;
    std::uint32_t n_cells = 0;
    Vector<HistogramColumn> columns;
    Vector<std::uint32_t> column_cells;  // columns x rows
    /// The same row by row, unless pairs are counted in tables.
    Vector<std::uint32_t> row_cells;
    Vector<std::uint32_t> cuts;  // cut of Problem::splits that each cell ends at
    bool has_sorted_rows = false;
    /// Where rows are sorted: rows of each column in the order of its cells (columns x
    /// rows), and where among them the rows of each cell end.
    Vector<std::uint32_t> sorted_rows, ends;
    /// Sums of the rows before and after each block: slots x blocks, two classes only.
    Vector<Sum> yes_before, yes_after;
    LabelBlocks<Sum> labels;  // unless two classes are all there is
};

/// Sort `n_rows` rows by their cells, of which there are `column.n_cells`; `ends` tells
/// where the rows of each cell end.
void sort_by_cell(const std::uint32_t* cells, const HistogramColumn& column,
                  std::uint32_t n_rows, std::uint32_t* rows, std::uint32_t* ends);

}  // namespace ostrya
