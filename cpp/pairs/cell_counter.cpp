#include "pairs/cell_counter.hpp"

#include <bit>
#include <cstring>

namespace ostrya {
namespace {

/// The block of a cell is its number without the last bits.
constexpr int block_shift = std::countr_zero(cells_per_block);

/// Add one row's sums to its place in every histogram column, or remove them if `sign`
/// is -1: its cell, or the run of 2^shift cells that it is in.
template <int shift, int sign, class Sum>
inline void add_sums(const Node<Sum>& node, std::uint32_t row, std::uint32_t slots,
                     Sum* out_sums) {
    const std::size_t n_columns = node.histograms.size();
    const std::uint32_t* cells = node.histograms.row_cells.data() + row * n_columns;
    const Sum* sums = node.rows.sums.data() + std::size_t{row} * slots;
    if (slots == 2 && sizeof(Sum) == 4) {
        // Both sums in one addition: none is ever negative, so nothing is carried over.
        std::uint64_t pair = 0;
        std::memcpy(&pair, sums, 8);
        for (std::size_t index = 0; index < n_columns; ++index) {
            Sum* out = out_sums + 2 * static_cast<std::size_t>(cells[index] >> shift);
            std::uint64_t sum = 0;
            std::memcpy(&sum, out, 8);
            sign > 0 ? sum += pair : sum -= pair;
            std::memcpy(out, &sum, 8);
        }
        return;
    }
    for (std::size_t index = 0; index < n_columns; ++index) {
        Sum* out = out_sums + slots * static_cast<std::size_t>(cells[index] >> shift);
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            out[slot] += sign * sums[slot];
    }
}

}  // namespace

template <class Sum>
CellCounter<Sum>::CellCounter(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
                              MemoryBudget& memory)
    : reader_(reader),
      sums_(memory),
      blocks_(reader, kernels, memory),
      labels_(reader, kernels, memory),
      sorted_rows_(memory),
      ends_(memory) {}

/// Clear the sums, and decide what rows are summed into.
template <class Sum>
void CellCounter<Sum>::start_sums(const Node<Sum>& node, bool by_blocks) {
    by_labels_ = by_blocks && !reader_.layout().is_binary();
    sums_.counts_blocks = by_blocks && node.histograms.are_sparse();
    if (by_labels_) {
        labels_.start(node);
        return;
    }
    if (sums_.counts_blocks) {
        sums_.blocks.assign(2 * node.histograms.n_blocks(), 0);
    } else {
        sums_.cells.assign(std::size_t{reader_.size()} * node.histograms.n_cells, 0);
    }
}

/// Call `visit` with a function that adds a row to the sums, or removes it.
template <class Sum>
template <int sign, class Visit>
void CellCounter<Sum>::add_rows(const Node<Sum>& node, const Visit& visit) {
    if (by_labels_) {
        visit([&](std::uint32_t row) { labels_.template add<sign>(node, row); });
    } else if (sums_.counts_blocks) {
        visit([&](std::uint32_t row) {
            add_sums<block_shift, sign>(node, row, 2, sums_.blocks.data());
        });
    } else {
        visit([&](std::uint32_t row) {
            add_sums<0, sign>(node, row, reader_.size(), sums_.cells.data());
        });
    }
}

template <class Sum>
void CellCounter<Sum>::sum_rows(const Node<Sum>& node,
                                const Vector<std::uint64_t>& mask, bool by_blocks) {
    const SmallerSide smaller(mask.data(), node.rows.n);
    sums_.counts_complement = !smaller.is_set();
    start_sums(node, by_blocks);
    add_rows<1>(node, [&](const auto& add) { smaller.for_each(add); });
}

template <class Sum>
void CellCounter<Sum>::sum_columns(const Node<Sum>& node,
                                   const Vector<std::uint64_t>& mask) {
    const std::uint32_t slots = reader_.size();
    sums_.counts_complement = false;
    sums_.cells.assign(std::size_t{slots} * node.histograms.n_cells, 0);
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const std::uint32_t* cells = node.histograms.cells_of(index);
        for (std::uint32_t word = 0; word < node.rows.n_words; ++word) {
            for_each_bit(mask[word], word, [&](std::uint32_t row) {
                const Sum* sums = node.rows.sums.data() + std::size_t{row} * slots;
                Sum* to = sums_.cells.data() + std::size_t{cells[row]} * slots;
                for (std::uint32_t slot = 0; slot < slots; ++slot)
                    to[slot] += sums[slot];
            });
        }
    }
}

template <class Sum>
void CellCounter<Sum>::start_column(const Node<Sum>& node, std::uint32_t index,
                                    bool by_blocks) {
    const Histograms<Sum>& histograms = node.histograms;
    const HistogramColumn& column = histograms.columns[index];
    if (histograms.has_sorted_rows) {
        column_rows_ = histograms.sorted_rows.data() + std::size_t{index} * node.rows.n;
        column_ends_ = histograms.ends.data() + column.first;
    } else {
        sorted_rows_.resize(node.rows.n);
        ends_.resize(column.n_cells);
        sort_by_cell(histograms.cells_of(index), column, node.rows.n,
                     sorted_rows_.data(), ends_.data());
        column_rows_ = sorted_rows_.data();
        column_ends_ = ends_.data();
    }
    start_sums(node, by_blocks);
    sums_.counts_complement = false;
    n_summed_ = 0;
}

template <class Sum>
void CellCounter<Sum>::move_to(const Node<Sum>& node, std::uint32_t cell,
                               Vector<std::uint64_t>& mask) {
    const std::uint32_t end = column_ends_[cell];
    const auto flip = [&](std::uint32_t row) {
        mask[row / 64] ^= std::uint64_t{1} << row % 64;
        return row;
    };
    if (n_summed_ < end) {
        add_rows<1>(node, [&](const auto& add) {
            for (; n_summed_ < end; ++n_summed_) add(flip(column_rows_[n_summed_]));
        });
    } else {
        add_rows<-1>(node, [&](const auto& add) {
            while (n_summed_ > end) add(flip(column_rows_[--n_summed_]));
        });
    }
}

template <class Sum>
void CellCounter<Sum>::accumulate(const Node<Sum>& node, Sum* both) const {
    const std::uint32_t slots = reader_.size(), width = node.splits.width;
    const std::uint32_t n_cells = node.histograms.n_cells;
    for (std::uint32_t slot = 0; slot < slots; ++slot, both += width) {
        const Sum* yes =
            node.splits.yes.data() + std::size_t{slot} * width + node.bits.stride;
        for (const HistogramColumn& column : node.histograms.columns) {
            Sum sum = 0;
            const std::uint32_t end = column.first + column.n_cells;
            for (std::uint32_t cell = column.first; cell < end; ++cell) {
                sum += sums_.cells[static_cast<std::size_t>(cell) * slots + slot];
                both[cell] = sum;
            }
        }
        if (sums_.counts_complement) {
            for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
                both[cell] = yes[cell] - both[cell];
            }
        }
        for (std::uint32_t cell = n_cells; node.bits.stride + cell < width; ++cell) {
            both[cell] = 0;
        }
    }
}

template class CellCounter<std::int32_t>;
template class CellCounter<std::int64_t>;

}  // namespace ostrya
