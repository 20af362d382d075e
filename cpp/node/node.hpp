/// The rows of a subproblem, compacted, with every split that can still matter there.
///
/// A node copies its rows, so that its cost follows its own size. Columns with few
/// cuts at the node are bit columns, one per cut, side by side; the others keep the
/// local rank of each row and are counted by histograms. Splits are numbered through:
/// first the bit columns (padded to `bits.stride`), then the cells of each histogram
/// column. A column's last cell, and the padding, are not splits: all rows, or none,
/// answer yes. They are harmless in the kernels, which see an empty child.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "data/columns.hpp"
#include "data/row_bits.hpp"
#include "data/row_hash.hpp"
#include "memory/budget.hpp"
#include "node/histograms.hpp"
#include "node/weight_planes.hpp"

namespace ostrya {

/// No split.
inline constexpr std::uint32_t none = ~std::uint32_t{0};

template <class Sum>
struct NodeRows {
    explicit NodeRows(MemoryBudget& memory)
        : keys(memory), sums(memory), total(memory), planes(memory) {}

    std::uint32_t n = 0;
    std::uint32_t n_words = 0;
    Vector<RowHash> keys;  // identity of each row
    RowHash hash;          // and of all of them
    Vector<Sum> sums;      // rows x slots, where histograms need them
    Vector<Sum> total;     // per slot
    WeightPlanes planes;
};

struct NodeBits {
    explicit NodeBits(MemoryBudget& memory) : words(memory) {}

    std::uint32_t n = 0;
    std::uint32_t stride = 0;  // n padded to a multiple of 16
    Vector<std::uint64_t> words;

    BitColumns from(std::uint32_t column) const {
        return {words.data() + column, stride};
    }
};

template <class Sum>
struct NodeSplits {
    explicit NodeSplits(MemoryBudget& memory)
        : names(memory),
          is_split(memory),
          next(memory),
          previous(memory),
          yes(memory) {}

    std::uint32_t width = 0;  // split numbers, padded to a multiple of 16
    Vector<Split> names;
    Vector<std::uint8_t> is_split;
    Vector<std::uint32_t> next;  // next larger cut of the same column, or none
    Vector<std::uint32_t> previous;
    Vector<Sum> yes;  // slots x width: sums of the rows that answer yes

    Sum sum(std::uint32_t slot, std::uint32_t split) const {
        return yes[std::size_t{slot} * width + split];
    }

    /// The number of a split, or none if it does not part the node's rows.
    std::uint32_t find(Split name) const {
        for (std::uint32_t split = 0; split < width; ++split) {
            if (is_split[split] && names[split] == name) return split;
        }
        return none;
    }
};

template <class Sum>
struct Node {
    /// What goes with the rows and what goes with the splits are counted apart.
    Node(MemoryBudget& of_rows, MemoryBudget& of_splits)
        : rows(of_rows),
          bits(of_rows),
          histograms(of_rows, of_splits),
          splits(of_splits) {}

    NodeRows<Sum> rows;
    NodeBits bits;
    Histograms<Sum> histograms;
    NodeSplits<Sum> splits;
    bool uses_tables = false;  // pairs of its splits are counted in tables

    bool is_bit(std::uint32_t split) const { return split < bits.stride; }
    std::uint32_t first_split(const HistogramColumn& column) const {
        return bits.stride + column.first;
    }
    /// What a look at every column of every row comes to, in words: a bit column has 64
    /// rows in a word, a histogram a cell for each.
    std::size_t work() const {
        return rows.n + std::size_t{bits.stride} * rows.n_words * looks_per_word() +
               histograms.size() * rows.n + histograms.n_cells * words_per_cell();
    }
    /// What a word of a bit column comes to: it is counted once per label, which with
    /// fewer than fifteen labels takes little more than building the node does.
    std::size_t looks_per_word() const {
        return std::max<std::size_t>(1, rows.total.size() / 8);
    }
    /// What a cell comes to when pairs are counted: two sums are added as one, and have
    /// kernels of their own; more are each added and then compared.
    std::size_t words_per_cell() const {
        return rows.total.size() == 2 ? 1 : 2 * rows.total.size();
    }
    /// What it takes to build the node and look at each of its splits, of which `work`
    /// counts the words. Each column of each row is read, each word of a bit column is
    /// compacted, and each split has sums per label, which take longer once they no
    /// longer fit the cache. Fitted to the processor time of the steps of 17 searches
    /// of 100 to 1,000,000 rows, 2 to 1,000 columns and 2 to 30 classes; most are
    /// within a factor of 2.
    std::size_t nanoseconds() const {
        constexpr std::size_t overhead = 600, sums_in_cache = std::size_t{1} << 22;
        const std::size_t n_sums =
            rows.total.size() * (bits.stride + histograms.n_cells);
        return overhead + 2 * rows.n * (1 + histograms.size()) +
               std::size_t{bits.stride} * rows.n_words +
               (n_sums <= sums_in_cache ? 2 * n_sums : 12 * n_sums);
    }
    /// Sums of either child of a split.
    Sum side_sum(std::uint32_t slot, std::uint32_t split, bool yes) const {
        const Sum sum = splits.sum(slot, split);
        return yes ? sum : rows.total[slot] - sum;
    }

    /// Rows that answer yes to `split`, one bit per row.
    void mask_of(std::uint32_t split, Vector<std::uint64_t>& mask) const {
        assert(split < splits.width);
        mask.resize(rows.n_words);
        if (is_bit(split)) {
            for (std::uint32_t word = 0; word < rows.n_words; ++word) {
                mask[word] = bits.words[std::size_t{word} * bits.stride + split];
            }
            return;
        }
        std::fill(mask.begin(), mask.end(), 0);
        const std::uint32_t cell = split - bits.stride;
        const std::uint32_t* cells = histograms.cells_of(histograms.column_with(cell));
        for (std::uint32_t row = 0; row < rows.n; ++row) {
            const bool is_yes = cells[row] <= cell;
            mask[row / 64] |= std::uint64_t{is_yes} << row % 64;
        }
    }
};

}  // namespace ostrya
