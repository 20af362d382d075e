/// Rows that answer yes to a first split, summed by the cells of all histogram columns.
///
/// From one cut of a histogram column to the next only the rows between enter or leave.
#pragma once

#include <cstdint>

#include "pairs/cell_blocks.hpp"
#include "pairs/label_cells.hpp"

namespace ostrya {

template <class Sum>
class CellCounter {
public:
    CellCounter(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
                MemoryBudget& memory);

    /// Sum the rows of `mask`, or those outside it if they are fewer. With `by_blocks`
    /// cells are asked for by `lower_by_blocks` only.
    void sum_rows(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                  bool by_blocks);
    /// The same one column at a time, for nodes that do not list cells row by row.
    void sum_columns(const Node<Sum>& node, const Vector<std::uint64_t>& mask);

    /// Start over with a histogram column and no rows; then go from cut to cut, the
    /// closer the better: `mask` holds the rows up to the cut.
    void start_column(const Node<Sum>& node, std::uint32_t index, bool by_blocks);
    void move_to(const Node<Sum>& node, std::uint32_t cell,
                 Vector<std::uint64_t>& mask);

    /// Write the sums of the mask's rows up to each cell: slots x width, from the
    /// node's first cell on.
    void accumulate(const Node<Sum>& node, Sum* both) const;

    /// Lower the best losses of both children of the first split, whose yes side sums
    /// to `first`.
    void lower_by_blocks(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                         const Vector<Sum>& first, ChildBest<Sum>& best) {
        if (reader_.layout().is_binary()) {
            blocks_.lower(node, mask, sums_, first, best);
        } else {
            labels_.lower(node, mask, sums_.counts_complement, first, best);
        }
    }

    /// See `LabelCells`.
    std::uint64_t take_swept() { return labels_.take_swept(); }

private:
    void start_sums(const Node<Sum>& node, bool by_blocks);
    template <int sign, class Visit>
    void add_rows(const Node<Sum>& node, const Visit& visit);

    const SumReader<Sum>& reader_;
    CellSums<Sum> sums_;
    CellBlocks<Sum> blocks_;
    LabelCells<Sum> labels_;
    bool by_labels_ = false;  // rows are summed by `labels_`

    // Of the histogram column started: its rows by cell, and where each cell ends.
    const std::uint32_t* column_rows_ = nullptr;
    const std::uint32_t* column_ends_ = nullptr;
    Vector<std::uint32_t> sorted_rows_, ends_;  // if the node has none
    std::uint32_t n_summed_ = 0;                // of those rows
};

}  // namespace ostrya
