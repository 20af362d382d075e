#include "node/node.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "data/row_bits.hpp"
#include "kernels/padding.hpp"

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
           (column_cells.capacity() + row_cells.capacity() + cell_rows.capacity()) * 4 +
           row_keys.capacity() * sizeof(RowHash);
}

template <class Sum>
std::size_t Node<Sum>::bytes() const {
    return row_bytes() + yes.capacity() * sizeof(Sum) + splits.capacity() * 17 +
           (cell_cuts.capacity() + cell_ends.capacity()) * 4;
}

namespace {

/// From how many rows on a node's pairs are counted in cross tables. They pay where
/// columns have many values and values many rows; with few rows bits are as fast. A
/// table holds up to a million cells, which stay in the cache.
std::uint32_t least_table_rows(const Problem& problem) {
    const std::size_t n_columns = problem.splits.size();
    std::size_t n_cuts = 0, most_cuts = 0;
    for (const SplitColumn& column : problem.splits) {
        n_cuts += column.cuts.size();
        most_cuts = std::max(most_cuts, column.cuts.size());
    }
    constexpr std::size_t longest_column = 1023;
    const bool is_able = problem.layout.is_binary() && !problem.ranks_splits &&
                         most_cuts <= longest_column &&
                         problem.potential < std::numeric_limits<std::int32_t>::max();
    if (!is_able || problem.few_cuts) return none;
    if (problem.cross_tables) return *problem.cross_tables ? 0 : none;
    // Two columns make at most eight cells a row; with nine, both ways cost the same.
    const bool is_worth =
        n_cuts >= 32 * n_columns &&
        n_cuts * n_cuts <= 8 * problem.n_groups * n_columns * n_columns;
    return is_worth ? 256 : none;
}

}  // namespace

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
          [](const SplitColumn& column) { return column.cuts.size() > 1; })),
      least_table_rows_(least_table_rows(problem)) {}

template <class Sum>
std::size_t NodeBuilder<Sum>::bytes() const {
    return row_keys_.size() * sizeof(RowHash) + candidates_.capacity() * 8 +
           (candidate_sums_.capacity() + rank_sums_.capacity() +
            cell_sums_.capacity()) *
               sizeof(Sum);
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
    begin_columns(root);
    begin_bits(root.n_words, 0);
    std::vector<std::uint32_t> cuts;
    for (std::uint32_t column = 0; column < problem_.splits.size(); ++column) {
        const SplitColumn& source = problem_.splits[column];
        while (cuts.size() < source.n_ranks()) {
            cuts.push_back(static_cast<std::uint32_t>(cuts.size()));
        }
        add_column(root,
                   {column, source.ranks.data(), 0, source.n_ranks(), cuts.data()});
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
    begin_columns(child);
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
        add_column(
            child,
            {column.column, parent.column_cells.data() + index * parent.n_rows,
             column.first, column.n_cells, parent.cell_cuts.data() + column.first});
    }
    compress_planes(parent, keep, child);
    number_splits(child);
}

template <class Sum>
void NodeBuilder<Sum>::begin_columns(Node<Sum>& node) {
    cell_sums_.clear();
    node.histograms.clear();
    node.cell_cuts.clear();
    node.n_cells = 0;
    node.has_cross_tables = node.n_rows >= least_table_rows_;
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
    if (node.has_cross_tables) return;
    list_row_cells(node);
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

template struct Node<std::int32_t>;
template struct Node<std::int64_t>;
template class NodeBuilder<std::int32_t>;
template class NodeBuilder<std::int64_t>;

}  // namespace ostrya
