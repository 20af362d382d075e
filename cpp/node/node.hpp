/// The rows of a subproblem, compacted, with every split that can still matter there.
///
/// A node copies its rows, so that its cost follows its own size. Columns with few
/// cuts at the node are bit columns, one per cut, side by side; the others keep the
/// local rank of each row and are counted by histograms. Splits are numbered through:
/// first the bit columns (padded to `bit_stride`), then the cells of each histogram
/// column. A column's last cell, and the padding, are not splits: all rows, or none,
/// answer yes. They are harmless in the kernels, which see an empty child.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "data/row_hash.hpp"
#include "kernels/kernels.hpp"
#include "objective/problem.hpp"

namespace ostrya {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// A column with many cuts at the node.
struct HistogramColumn {
    std::uint32_t column = 0;   // in Problem::splits
    std::uint32_t first = 0;    // its first cell, counted from the node's first cell
    std::uint32_t n_cells = 0;  // distinct local ranks, padded to whole blocks
    std::uint32_t n_cuts = 0;
};

template <class Sum>
struct Node {
    std::uint32_t n_rows = 0;
    std::vector<RowHash> row_keys;  // identity of each row
    RowHash hash;                   // and of all of them
    std::vector<Sum> row_sums;      // n_rows x slots, where histograms need them
    std::vector<Sum> total;         // per slot

    std::uint32_t n_words = 0;
    std::uint32_t n_bits = 0;      // bit columns
    std::uint32_t bit_stride = 0;  // n_bits padded to a multiple of 16
    std::vector<std::uint64_t> bits;
    /// Bit-sliced weights: plane `p` holds bit plane_shift[p] of slot plane_slot[p].
    std::vector<std::uint64_t> plane_bits;  // n_words x plane_slot.size()
    std::vector<std::uint32_t> plane_slot, plane_shift;
    /// For each slot the words of its planes that are not zero.
    std::vector<std::vector<MaskWord>> planes;

    std::vector<HistogramColumn> histograms;
    std::vector<std::uint32_t> column_cells;  // histograms x n_rows
    /// The same row by row, unless pairs are counted in cross tables.
    std::vector<std::uint32_t> row_cells;  // n_rows x histograms
    bool has_cross_tables = false;
    std::vector<std::uint32_t> cell_cuts;  // cut of Problem::splits each cell ends at
    std::uint32_t n_cells = 0;
    /// Where cells are sparse: rows of each histogram column in the order of its cells
    /// (histograms x n_rows), and where among them the rows of each cell end.
    std::vector<std::uint32_t> cell_rows, cell_ends;

    std::uint32_t width = 0;  // split numbers, padded to a multiple of 16
    std::vector<Split> splits;
    std::vector<std::uint8_t> is_split;
    std::vector<std::uint32_t> next;  // next larger cut of the same column, or none
    std::vector<std::uint32_t> previous;
    std::vector<Sum> yes;  // slots x width: sums of the rows that answer yes
    /// The same before and after each block of cells: slots x blocks, two classes only.
    std::vector<Sum> yes_before, yes_after;

    /// Whether cells hold so few rows that summing those of a block when it is looked
    /// into is faster than keeping the sums of all cells up to date.
    bool has_sparse_cells() const {
        return n_rows * histograms.size() <= std::size_t{4} * n_cells;
    }

    /// Which of the histograms has this split; not for splits of bit columns.
    std::uint32_t histogram_of(std::uint32_t split) const;

    /// Memory that goes with the rows, and all of it.
    std::size_t row_bytes() const;
    std::size_t bytes() const;
};

/// Sort `n_rows` rows by their cells, of which there are `n_cells` from `first` on;
/// `ends` tells where the rows of each cell end.
void sort_by_cell(const std::uint32_t* cells, std::uint32_t first, std::uint32_t n_rows,
                  std::uint32_t n_cells, std::uint32_t* rows, std::uint32_t* ends);

/// Sums over sets of rows, read the way a problem lays them out.
template <class Sum>
class SumReader {
public:
    explicit SumReader(const Problem& problem)
        : layout_(problem.layout),
          min_count_(problem.min_samples_leaf),
          // Rows without potential are left out unless rows are counted, so a child
          // without potential is empty: never a split, whatever the switches say.
          floor_(problem.layout.keeps_every_row()
                     ? problem.support_floor
                     : std::max<Weight>(problem.support_floor, 0)) {}

    std::uint32_t size() const { return layout_.size(); }
    const SumLayout& layout() const { return layout_; }
    Weight floor() const { return floor_; }
    Weight min_count() const { return min_count_; }

    Weight potential(const Sum* sums, std::size_t stride) const {
        if (layout_.is_binary()) return static_cast<Weight>(sums[0]) + sums[stride];
        return sums[layout_.potential_slot() * stride];
    }

    /// Loss of these rows as one leaf, above the base.
    Weight loss(const Sum* sums, std::size_t stride) const {
        if (layout_.is_binary()) return std::min(sums[0], sums[stride]);
        Sum gain = sums[0];
        for (std::uint32_t label = 1; label < layout_.n_labels; ++label) {
            gain = std::max(gain, sums[label * stride]);
        }
        return sums[layout_.potential_slot() * stride] - gain;
    }

    /// Losses of both sides of `n` splits as leaves, side by side so that compilers
    /// make vectors of them. `yes` has the sums of the yes sides, `total` of all rows.
    void side_losses(const Sum* yes, std::size_t stride, const Sum* total,
                     std::size_t n, Sum* yes_loss, Sum* no_loss) const {
        if (layout_.is_binary()) {
            const Sum* other = yes + stride;
            for (std::size_t at = 0; at < n; ++at) {
                yes_loss[at] = std::min(yes[at], other[at]);
                no_loss[at] = std::min(total[0] - yes[at], total[1] - other[at]);
            }
            return;
        }
        for (std::size_t at = 0; at < n; ++at) {
            yes_loss[at] = yes[at];  // the gains, for now
            no_loss[at] = total[0] - yes[at];
        }
        for (std::uint32_t label = 1; label < layout_.n_labels; ++label) {
            const Sum* gain = yes + label * stride;
            for (std::size_t at = 0; at < n; ++at) {
                yes_loss[at] = std::max(yes_loss[at], gain[at]);
                no_loss[at] = std::max(no_loss[at], total[label] - gain[at]);
            }
        }
        const Sum* potential = yes + layout_.potential_slot() * stride;
        const Sum all = total[layout_.potential_slot()];
        for (std::size_t at = 0; at < n; ++at) {
            yes_loss[at] = potential[at] - yes_loss[at];
            no_loss[at] = all - potential[at] - no_loss[at];
        }
    }

    /// True when these rows may form a leaf: there are some, and enough.
    bool may_be_leaf(const Sum* sums, std::size_t stride) const {
        if (layout_.counts_rows) {
            return sums[layout_.count_slot() * stride] >= static_cast<Sum>(min_count_);
        }
        return (layout_.n_masses > 0 ? mass(sums, stride) : potential(sums, stride)) >
               0;
    }

    /// True when both sides of a split may form leaves; `total` has the sums of both.
    bool may_part(const Sum* yes, std::size_t stride, const Sum* total) const {
        const auto is_enough = [](Weight part, Weight all, Weight least) {
            return part >= least && all - part >= least;
        };
        if (layout_.counts_rows) {
            const std::size_t slot = layout_.count_slot();
            return is_enough(yes[slot * stride], total[slot], min_count_);
        }
        return layout_.n_masses > 0
                   ? is_enough(mass(yes, stride), mass(total, 1), 1)
                   : is_enough(potential(yes, stride), potential(total, 1), 1);
    }

    /// What these rows weigh, whatever their labels cost.
    Weight mass(const Sum* sums, std::size_t stride) const {
        const Sum* masses = sums + layout_.mass_slot() * stride;
        Weight total = 0;
        for (std::uint32_t label = 0; label < layout_.n_labels; ++label) {
            total += masses[label * stride];
        }
        return total;
    }

private:
    SumLayout layout_;
    std::uint32_t min_count_;
    Weight floor_;
};

/// Builds the nodes of one problem.
template <class Sum>
class NodeBuilder {
public:
    explicit NodeBuilder(const Problem& problem);

    void build_root(Node<Sum>& root);

    /// Build the child of `parent` with the rows in `keep`, one bit per parent row.
    void build_child(const Node<Sum>& parent, const std::vector<std::uint64_t>& keep,
                     const RowHash& hash, const std::vector<Sum>& total,
                     Node<Sum>& child);

    const SumReader<Sum>& reader() const { return reader_; }
    const Kernels<Sum>& kernels() const { return kernels_; }
    std::size_t bytes() const;

private:
    /// A column to add to a node: its local rank for each row of the node.
    struct RankedColumn {
        std::uint32_t column;
        const std::uint32_t* ranks;  // of the rows in rows_, or of all if root
        std::uint32_t first;         // subtracted from ranks
        std::uint32_t n_ranks;
        const std::uint32_t* cuts;  // cut of Problem::splits each rank ends at
    };

    // Rows and columns of a node (node_columns.cpp).
    void begin_bits(std::uint32_t n_words, std::size_t capacity);
    void widen_bits(std::uint32_t n_words, std::size_t n_columns);
    void add_column(Node<Sum>& node, const RankedColumn& column);
    void sum_ranks(const Node<Sum>& node, const RankedColumn& column);
    void keep_cuts(const Node<Sum>& node, const RankedColumn& column);
    void spread_cuts(const Node<Sum>& node, const RankedColumn& column);
    void add_histogram(Node<Sum>& node, const RankedColumn& column);

    // Weights sliced into bit planes (node_planes.cpp).
    void slice_weights(Node<Sum>& node);
    void compress_planes(const Node<Sum>& parent,
                         const std::vector<std::uint64_t>& keep, Node<Sum>& child);
    void list_planes(Node<Sum>& node);

    // Which bit columns stay (node_selection.cpp).
    void count_candidates(const Node<Sum>& node);
    void list_splits(const Node<Sum>& node);
    void select_bits(Node<Sum>& node);
    void select_names();
    bool repeats_lower_cut(std::uint32_t candidate) const;
    bool is_repeated(const Node<Sum>& node, std::uint32_t candidate);
    void hash_candidates(const Node<Sum>& node);

    void number_splits(Node<Sum>& node);
    void chain_cuts(Node<Sum>& node);
    void begin_columns(Node<Sum>& node);
    void list_row_cells(Node<Sum>& node) const;
    void fill_cells(Node<Sum>& node);
    void sort_rows(Node<Sum>& node);
    void fill_blocks(Node<Sum>& node);

    const Problem& problem_;
    SumReader<Sum> reader_;
    std::vector<RowHash> row_keys_;
    const Kernels<Sum>& kernels_;
    Compress compress_;
    bool has_chains_;                 // some column has more than one cut
    std::uint32_t least_table_rows_;  // nodes with as many count in cross tables

    // Scratch, reused from node to node.
    std::vector<std::uint32_t> rows_;        // rows of the parent that are kept
    std::vector<std::uint64_t> candidates_;  // bit columns before selection
    std::size_t candidate_stride_ = 0;
    std::vector<Split> candidate_splits_;
    std::vector<std::uint32_t> candidate_next_, candidate_previous_;
    std::vector<Sum> candidate_sums_;    // slots x candidate_stride_
    std::vector<std::uint32_t> listed_;  // candidates worth having
    std::vector<std::uint64_t> candidate_hash_;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint64_t> keys_;    // to sort the candidates by
    std::vector<std::uint32_t> chosen_;  // candidates in the order of the node's splits
    std::vector<Sum> yes_loss_, no_loss_;  // of the candidates
    std::vector<Sum> rank_sums_;           // ranks x slots, of the column being added
    std::vector<Weight> rank_counts_;      // rows of each, where masses may be zero
    std::vector<Sum> cell_sums_;           // cells x slots
    std::vector<std::uint32_t> kept_cuts_, remap_;
};

}  // namespace ostrya
