#include "search/node.hpp"

#include <algorithm>
#include <utility>

#include "search/bits.hpp"
#include "search/padding.hpp"

namespace ostrya {

template <class Sum>
std::uint32_t Node<Sum>::histogram_of(std::uint32_t split) const {
    const std::uint32_t cell = split - bit_stride;
    std::uint32_t index = 0;
    while (histograms[index].first + histograms[index].n_cells <= cell) ++index;
    return index;
}

template <class Sum>
std::size_t Node<Sum>::row_bytes() const {
    return bits.capacity() * 8 + plane_bits.capacity() * 8 +
           row_sums.capacity() * sizeof(Sum) +
           (row_cells.capacity() + cell_rows.capacity()) * 4 +
           row_keys.capacity() * sizeof(RowHash);
}

template <class Sum>
std::size_t Node<Sum>::bytes() const {
    return row_bytes() + yes.capacity() * sizeof(Sum) + splits.capacity() * 17 +
           (cell_cuts.capacity() + cell_ends.capacity()) * 4;
}

void sort_by_cell(const std::uint32_t* cells, std::size_t stride, std::uint32_t first,
                  std::uint32_t n_rows, std::uint32_t n_cells, std::uint32_t* rows,
                  std::uint32_t* ends) {
    std::fill_n(ends, n_cells, 0);
    for (std::uint32_t row = 0; row < n_rows; ++row)
        ++ends[cells[row * stride] - first];
    std::uint32_t begin = 0;
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
        begin += std::exchange(ends[cell], begin);
    }
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        rows[ends[cells[row * stride] - first]++] = row;
    }
}

template <class Sum>
NodeBuilder<Sum>::NodeBuilder(const Problem& problem)
    : problem_(problem),
      reader_(problem),
      row_keys_(row_keys(problem.n_groups)),
      kernels_(problem.layout.is_binary() ? binary_kernels<Sum>()
                                          : general_kernels<Sum>()),
      compress_(compress_kernel()),
      has_chains_(std::any_of(
          problem.splits.begin(), problem.splits.end(),
          [](const SplitColumn& column) { return column.cuts.size() > 1; })) {}

template <class Sum>
std::size_t NodeBuilder<Sum>::bytes() const {
    return row_keys_.size() * sizeof(RowHash) + candidates_.capacity() * 8 +
           candidate_sums_.capacity() * sizeof(Sum) + by_rank_.capacity() * 16 +
           cells_by_column_.capacity() * 4;
}

template <class Sum>
void NodeBuilder<Sum>::build_root(Node<Sum>& root) {
    const auto n = static_cast<std::uint32_t>(problem_.n_groups);
    root.n_rows = n;
    root.n_words = (n + 63) / 64;
    root.row_keys = row_keys_;
    root.hash = {};
    root.row_sums.assign(problem_.sums.begin(), problem_.sums.end());
    root.total.assign(reader_.size(), 0);
    rows_.resize(n);
    for (std::uint32_t row = 0; row < n; ++row) {
        rows_[row] = row;
        root.hash ^= row_keys_[row];
        for (std::uint32_t slot = 0; slot < reader_.size(); ++slot) {
            root.total[slot] += root.row_sums[row * reader_.size() + slot];
        }
    }
    root.histograms.clear();
    root.cell_cuts.clear();
    root.n_cells = 0;
    begin_bits(root.n_words, 0);
    std::vector<std::uint32_t> cuts;
    for (std::uint32_t column = 0; column < problem_.splits.size(); ++column) {
        const SplitColumn& source = problem_.splits[column];
        while (cuts.size() < source.n_ranks()) {
            cuts.push_back(static_cast<std::uint32_t>(cuts.size()));
        }
        add_column(root,
                   {column, source.ranks.data(), 1, 0, source.n_ranks(), cuts.data()});
    }
    slice_weights(root);
    number_splits(root);
}

template <class Sum>
void NodeBuilder<Sum>::build_child(const Node<Sum>& parent,
                                   const std::vector<std::uint64_t>& keep,
                                   const RowHash& hash, const std::vector<Sum>& total,
                                   Node<Sum>& child) {
    const std::uint32_t slots = reader_.size();
    rows_.clear();
    for (std::uint32_t word = 0; word < parent.n_words; ++word) {
        for_each_bit(keep[word], word,
                     [this](std::uint32_t row) { rows_.push_back(row); });
    }
    const std::size_t n = rows_.size();
    child.hash = hash;
    child.n_rows = static_cast<std::uint32_t>(n);
    child.n_words = static_cast<std::uint32_t>((n + 63) / 64);
    child.total = total;
    child.row_keys.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
        child.row_keys[row] = parent.row_keys[rows_[row]];
    }
    if (!parent.histograms.empty()) {
        child.row_sums.resize(n * slots);
        for (std::size_t row = 0; row < n; ++row) {
            std::copy_n(parent.row_sums.data() + rows_[row] * slots, slots,
                        child.row_sums.data() + row * slots);
        }
    }
    child.histograms.clear();
    child.cell_cuts.clear();
    child.n_cells = 0;
    begin_bits(child.n_words, parent.n_bits);
    if (parent.n_bits > 0) {
        compress_({parent.bits.data(), parent.bit_stride}, parent.n_bits, keep.data(),
                  parent.n_words, candidates_.data(), candidate_stride_);
        candidate_splits_.assign(parent.splits.begin(),
                                 parent.splits.begin() + parent.n_bits);
        candidate_next_.assign(parent.next.begin(),
                               parent.next.begin() + parent.n_bits);
        candidate_previous_.assign(parent.previous.begin(),
                                   parent.previous.begin() + parent.n_bits);
    }
    for (std::size_t index = 0; index < parent.histograms.size(); ++index) {
        const HistogramColumn& column = parent.histograms[index];
        add_column(child, {column.column, parent.row_cells.data() + index,
                           parent.histograms.size(), column.first, column.n_cells,
                           parent.cell_cuts.data() + column.first});
    }
    compress_planes(parent, keep, child);
    number_splits(child);
}

/// Give every split its number, its place in its column, and its sums.
template <class Sum>
void NodeBuilder<Sum>::number_splits(Node<Sum>& node) {
    list_planes(node);
    select_bits(node);
    const std::uint32_t slots = reader_.size();
    node.n_bits = static_cast<std::uint32_t>(chosen_.size());
    node.bit_stride = padded(node.n_bits);
    node.width = node.bit_stride + padded(node.n_cells);
    node.splits.resize(node.width);
    node.is_split.assign(node.width, 0);
    node.next.assign(node.width, none);
    node.previous.assign(node.width, none);
    node.yes.assign(slots * node.width, 0);
    node.bits.resize(node.n_words * node.bit_stride);
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const std::uint64_t* from = candidates_.data() + word * candidate_stride_;
        std::uint64_t* to = node.bits.data() + word * node.bit_stride;
        for (std::uint32_t index = 0; index < node.n_bits; ++index) {
            to[index] = from[chosen_[index]];
        }
        std::fill(to + node.n_bits, to + node.bit_stride, 0);
    }
    for (std::uint32_t index = 0; index < node.n_bits; ++index) {
        const std::uint32_t candidate = chosen_[index];
        node.splits[index] = candidate_splits_[candidate];
        node.is_split[index] = 1;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            node.yes[slot * node.width + index] =
                candidate_sums_[slot * candidate_stride_ + candidate];
        }
    }
    if (has_chains_) chain_cuts(node);
    if (node.histograms.empty()) return;
    fill_cells(node);
    sort_rows(node);
    if (reader_.layout().is_binary()) fill_blocks(node);
}

/// Chain the bit columns that are cuts of one column, in the order of the candidates.
template <class Sum>
void NodeBuilder<Sum>::chain_cuts(Node<Sum>& node) {
    std::vector<std::uint32_t>& number_of = table_;
    number_of.assign(candidate_splits_.size(), none);
    for (std::uint32_t index = 0; index < node.n_bits; ++index) {
        number_of[chosen_[index]] = index;
    }
    for (std::uint32_t first = 0; first < candidate_splits_.size(); ++first) {
        if (candidate_previous_[first] != none) continue;
        std::uint32_t last = none;
        for (std::uint32_t at = first; at != none; at = candidate_next_[at]) {
            const std::uint32_t number = number_of[at];
            if (number == none) continue;
            if (last != none) {
                node.next[last] = number;
                node.previous[number] = last;
            }
            last = number;
        }
    }
}

/// Number the cells of histogram columns and sum the rows up to each.
template <class Sum>
void NodeBuilder<Sum>::fill_cells(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    const std::size_t n_columns = node.histograms.size();
    node.row_cells.resize(n_columns * node.n_rows);
    std::vector<Sum> sums(node.n_cells * slots);
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        for (std::size_t index = 0; index < n_columns; ++index) {
            const std::uint32_t cell = cells_by_column_[index * node.n_rows + row];
            node.row_cells[row * n_columns + index] = cell;
            for (std::uint32_t slot = 0; slot < slots; ++slot) {
                sums[cell * slots + slot] += node.row_sums[row * slots + slot];
            }
        }
    }
    for (const HistogramColumn& column : node.histograms) {
        const std::uint32_t first = node.bit_stride + column.first;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            Sum* yes = node.yes.data() + slot * node.width + first;
            Sum sum = 0;
            for (std::uint32_t cell = 0; cell < column.n_cells; ++cell) {
                sum += sums[(column.first + cell) * slots + slot];
                yes[cell] = sum;
            }
        }
        for (std::uint32_t cell = 0; cell < column.n_cuts; ++cell) {
            node.splits[first + cell] = {column.column,
                                         node.cell_cuts[column.first + cell]};
            node.is_split[first + cell] = 1;
            if (cell > 0) {
                node.previous[first + cell] = first + cell - 1;
                node.next[first + cell - 1] = first + cell;
            }
        }
    }
}

/// Sort the rows of each histogram column by their cells, if these are sparse.
template <class Sum>
void NodeBuilder<Sum>::sort_rows(Node<Sum>& node) {
    if (!node.has_sparse_cells()) return;
    node.cell_rows.resize(node.histograms.size() * node.n_rows);
    node.cell_ends.resize(node.n_cells);
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const HistogramColumn& column = node.histograms[index];
        sort_by_cell(cells_by_column_.data() + index * node.n_rows, 1, column.first,
                     node.n_rows, column.n_cells,
                     node.cell_rows.data() + index * node.n_rows,
                     node.cell_ends.data() + column.first);
    }
}

/// Sums before and after each block of cells.
template <class Sum>
void NodeBuilder<Sum>::fill_blocks(Node<Sum>& node) {
    const std::size_t n_blocks = node.n_cells / cells_per_block;
    node.yes_before.assign(2 * n_blocks, 0);
    node.yes_after.resize(2 * n_blocks);
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
        const Sum* yes = node.yes.data() + slot * node.width + node.bit_stride;
        Sum* before = node.yes_before.data() + slot * n_blocks;
        Sum* after = node.yes_after.data() + slot * n_blocks;
        for (std::size_t block = 0; block < n_blocks; ++block) {
            after[block] = yes[(block + 1) * cells_per_block - 1];
        }
        for (const HistogramColumn& column : node.histograms) {
            const std::size_t first = column.first / cells_per_block;
            const std::size_t n = column.n_cells / cells_per_block;
            std::copy_n(after + first, n - 1, before + first + 1);
        }
    }
}

template struct Node<std::int32_t>;
template struct Node<std::int64_t>;
template class NodeBuilder<std::int32_t>;
template class NodeBuilder<std::int64_t>;

}  // namespace ostrya
