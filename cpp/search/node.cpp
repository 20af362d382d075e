#include "search/node.hpp"

#include <algorithm>
#include <bit>

namespace ostrya {
namespace {

/// Up to this many cuts a column is spread into bit columns. Counting a pair of bit
/// columns takes a few cycles per 512 rows; a histogram pays per row and column.
constexpr std::size_t few_cuts = 32;

std::uint32_t padded(std::size_t n) { return static_cast<std::uint32_t>((n + 15) / 16 * 16); }

}  // namespace

template <class Sum>
Weight SumReader<Sum>::potential(const Sum* sums, std::size_t stride) const {
    if (layout_.is_binary()) return static_cast<Weight>(sums[0]) + sums[stride];
    return sums[layout_.potential_slot() * stride];
}

template <class Sum>
Weight SumReader<Sum>::loss(const Sum* sums, std::size_t stride) const {
    if (layout_.is_binary()) return std::min(sums[0], sums[stride]);
    Sum gain = sums[0];
    for (std::uint32_t label = 1; label < layout_.n_labels; ++label) {
        gain = std::max(gain, sums[label * stride]);
    }
    return sums[layout_.potential_slot() * stride] - gain;
}

template <class Sum>
std::size_t Node<Sum>::bytes() const {
    return bits.capacity() * 8 + row_sums.capacity() * sizeof(Sum) +
           row_cells.capacity() * 4 + groups.capacity() * 4 +
           yes.capacity() * sizeof(Sum) + splits.capacity() * 17 +
           cell_cuts.capacity() * 4;
}

template <class Sum>
NodeBuilder<Sum>::NodeBuilder(const Problem& problem)
    : problem_(problem), reader_(problem), keys_(row_keys(problem.n_groups)),
      kernels_(problem.layout.is_binary() ? binary_kernels<Sum>()
                                          : general_kernels<Sum>()),
      compress_(compress_kernel()) {}

template <class Sum>
std::size_t NodeBuilder<Sum>::bytes() const {
    return keys_.size() * sizeof(RowHash) + candidates_.capacity() * 8 +
           candidate_sums_.capacity() * sizeof(Sum) +
           cell_sums_.capacity() * sizeof(Sum) + by_rank_.capacity() * 16;
}

template <class Sum>
void NodeBuilder<Sum>::build_root(Node<Sum>& root) {
    const std::size_t n = problem_.n_groups;
    root.hash = {};
    rows_.resize(n);
    root.groups.resize(n);
    for (std::uint32_t row = 0; row < n; ++row) {
        rows_[row] = root.groups[row] = row;
        root.hash ^= keys_[row];
    }
    const std::vector<Sum> sums(problem_.sums.begin(), problem_.sums.end());
    take_rows(root, sums.data());
    begin_bits(root, 0);
    std::vector<std::uint32_t> cuts;
    for (std::uint32_t column = 0; column < problem_.splits.size(); ++column) {
        const SplitColumn& source = problem_.splits[column];
        for (std::uint32_t cut = static_cast<std::uint32_t>(cuts.size());
             cut < source.n_ranks(); ++cut) {
            cuts.push_back(cut);
        }
        add_column(root, {column, source.ranks.data(), 1, 0, source.n_ranks(),
                          cuts.data()});
    }
    number_splits(root);
}

template <class Sum>
void NodeBuilder<Sum>::build_child(const Node<Sum>& parent,
                                   const std::vector<std::uint64_t>& keep,
                                   const RowHash& hash, Node<Sum>& child) {
    child.hash = hash;
    rows_.clear();
    child.groups.clear();
    for (std::uint32_t word = 0; word < parent.n_words; ++word) {
        for (std::uint64_t left = keep[word]; left != 0; left &= left - 1) {
            const std::uint32_t row =
                word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
            rows_.push_back(row);
            child.groups.push_back(parent.groups[row]);
        }
    }
    take_rows(child, parent.row_sums.data());
    begin_bits(child, parent.n_bits);
    if (parent.n_bits > 0) {
        compress_({parent.bits.data(), parent.bit_stride}, parent.n_bits, keep.data(),
                  parent.n_words, candidates_.data(), candidate_stride_);
        candidate_splits_.assign(parent.splits.begin(),
                                 parent.splits.begin() + parent.n_bits);
    }
    for (std::size_t index = 0; index < parent.histograms.size(); ++index) {
        const HistogramColumn& column = parent.histograms[index];
        add_column(child, {column.column, parent.row_cells.data() + index,
                           parent.histograms.size(), column.first, column.n_cells,
                           parent.cell_cuts.data() + column.first});
    }
    number_splits(child);
}

/// Copy the sums of the rows in rows_.
template <class Sum>
void NodeBuilder<Sum>::take_rows(Node<Sum>& node, const Sum* row_sums) {
    const std::uint32_t slots = reader_.size();
    node.n_rows = static_cast<std::uint32_t>(rows_.size());
    node.n_words = (node.n_rows + 63) / 64;
    node.row_sums.resize(rows_.size() * slots);
    node.total.assign(slots, 0);
    Sum* out = node.row_sums.data();
    for (const std::uint32_t row : rows_) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const Sum value = row_sums[row * slots + slot];
            node.total[slot] += value;
            *out++ = value;
        }
    }
    node.histograms.clear();
    node.cell_cuts.clear();
    node.n_cells = 0;
}

/// Room for `capacity` bit columns; more are added by reallocation.
template <class Sum>
void NodeBuilder<Sum>::begin_bits(const Node<Sum>& node, std::size_t capacity) {
    candidate_stride_ = padded(std::max<std::size_t>(capacity, 16));
    // One word more than the rows need: compression may touch it with zeros.
    candidates_.assign((node.n_words + 1) * candidate_stride_, 0);
    candidate_splits_.clear();
}

/// Add a column by ranks: as bit columns when few of its cuts are worth making.
template <class Sum>
void NodeBuilder<Sum>::add_column(Node<Sum>& node, const RankedColumn& column) {
    const SumLayout& layout = reader_.layout();
    const std::uint32_t slots = reader_.size();
    by_rank_.assign(column.n_ranks, 0);
    count_by_rank_.assign(column.n_ranks, 0);
    Weight total = 0;
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const std::uint32_t rank =
            column.ranks[rows_[row] * column.stride] - column.first;
        const Sum* sums = node.row_sums.data() + row * slots;
        const Weight potential = reader_.potential(sums, 1);
        by_rank_[rank] += potential;
        count_by_rank_[rank] += layout.counts_rows ? sums[layout.count_slot()] : 1;
        total += potential;
    }
    const Weight n_total = layout.counts_rows ? node.total[layout.count_slot()]
                                              : static_cast<Weight>(node.n_rows);
    const Weight least_count = layout.counts_rows ? problem_.min_samples_leaf : 1;
    kept_cuts_.clear();
    remap_.resize(column.n_ranks);
    Weight yes = 0, n_yes = 0;
    for (std::uint32_t rank = 0; rank < column.n_ranks; ++rank) {
        remap_[rank] = static_cast<std::uint32_t>(kept_cuts_.size());
        yes += by_rank_[rank];
        n_yes += count_by_rank_[rank];
        if (count_by_rank_[rank] > 0 && yes > reader_.floor() &&
            total - yes > reader_.floor() && n_yes >= least_count &&
            n_total - n_yes >= least_count) {
            kept_cuts_.push_back(rank);
        }
    }
    if (kept_cuts_.empty()) return;
    if (kept_cuts_.size() <= few_cuts) {
        const std::size_t first = candidate_splits_.size();
        const std::size_t n_columns = first + kept_cuts_.size();
        if (n_columns > candidate_stride_) {
            const std::size_t stride = padded(2 * n_columns);
            std::vector<std::uint64_t> wider((node.n_words + 1) * stride, 0);
            for (std::uint32_t word = 0; word < node.n_words; ++word) {
                std::copy_n(candidates_.begin() + word * candidate_stride_, first,
                            wider.begin() + word * stride);
            }
            candidates_ = std::move(wider);
            candidate_stride_ = stride;
        }
        for (const std::uint32_t rank : kept_cuts_) {
            candidate_splits_.push_back({column.column, column.cuts[rank]});
        }
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            const std::uint32_t rank =
                column.ranks[rows_[row] * column.stride] - column.first;
            std::uint64_t* words =
                candidates_.data() + row / 64 * candidate_stride_ + first;
            const std::uint64_t bit = std::uint64_t{1} << row % 64;
            for (std::size_t cut = remap_[rank]; cut < kept_cuts_.size(); ++cut) {
                words[cut] |= bit;
            }
        }
        return;
    }
    const std::size_t index = node.histograms.size();
    const auto n_cells = static_cast<std::uint32_t>(kept_cuts_.size() + 1);
    node.histograms.push_back({column.column, node.n_cells, n_cells});
    for (const std::uint32_t rank : kept_cuts_) {
        node.cell_cuts.push_back(column.cuts[rank]);
    }
    node.cell_cuts.push_back(none);
    // Cells are kept column after column while columns arrive; number_splits turns
    // them row after row.
    node.row_cells.resize((index + 1) * node.n_rows);
    std::uint32_t* cells = node.row_cells.data() + index * node.n_rows;
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        const std::uint32_t rank =
            column.ranks[rows_[row] * column.stride] - column.first;
        cells[row] = node.n_cells + remap_[rank];
    }
    node.n_cells += n_cells;
}

/// Slice the weights of each slot into bit planes.
template <class Sum>
void NodeBuilder<Sum>::fill_planes(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    node.planes.resize(slots);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        std::uint64_t any = 0;
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            any |= static_cast<std::uint64_t>(node.row_sums[row * slots + slot]);
        }
        const std::size_t depth = static_cast<std::size_t>(std::bit_width(any));
        plane_words_.assign(depth * node.n_words, 0);
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            auto left = static_cast<std::uint64_t>(node.row_sums[row * slots + slot]);
            for (; left != 0; left &= left - 1) {
                const auto shift = static_cast<std::size_t>(std::countr_zero(left));
                plane_words_[row / 64 * depth + shift] |= std::uint64_t{1} << row % 64;
            }
        }
        std::vector<MaskWord>& planes = node.planes[slot];
        planes.clear();
        for (std::uint32_t word = 0; word < node.n_words; ++word) {
            for (std::uint32_t shift = 0; shift < depth; ++shift) {
                const std::uint64_t bits = plane_words_[word * depth + shift];
                if (bits != 0) planes.push_back({bits, word, shift});
            }
        }
    }
}

/// Hash each candidate column so that a column and its complement agree.
template <class Sum>
void NodeBuilder<Sum>::hash_candidates(const Node<Sum>& node) {
    const std::size_t n = candidate_splits_.size();
    candidate_hash_.assign(n, 0);
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const bool is_last = word + 1 == node.n_words && node.n_rows % 64 != 0;
        const std::uint64_t tail =
            is_last ? (std::uint64_t{1} << node.n_rows % 64) - 1 : ~std::uint64_t{0};
        const std::uint64_t* row = candidates_.data() + word * candidate_stride_;
        for (std::size_t index = 0; index < n; ++index) {
            const std::uint64_t flip = (candidates_[index] & 1) ? tail : 0;
            candidate_hash_[index] =
                std::rotl(candidate_hash_[index] ^ row[index] ^ flip, 23) *
                0x9e3779b97f4a7c15u;
        }
    }
}

/// True when an earlier candidate makes the same two children.
template <class Sum>
bool NodeBuilder<Sum>::is_repeated(const Node<Sum>& node, std::uint32_t candidate) {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (candidate_hash_[candidate] >> 32) & mask;
    for (; table_[slot] != none; slot = (slot + 1) & mask) {
        const std::uint32_t other = table_[slot];
        if (candidate_hash_[other] != candidate_hash_[candidate]) continue;
        const bool flips = (candidates_[other] ^ candidates_[candidate]) & 1;
        bool is_same = true;
        for (std::uint32_t word = 0; is_same && word < node.n_words; ++word) {
            const bool is_last = word + 1 == node.n_words && node.n_rows % 64 != 0;
            const std::uint64_t tail =
                is_last ? (std::uint64_t{1} << node.n_rows % 64) - 1 : ~std::uint64_t{0};
            const std::uint64_t* row = candidates_.data() + word * candidate_stride_;
            is_same = row[candidate] == (row[other] ^ (flips ? tail : 0));
        }
        if (is_same) return true;
    }
    table_[slot] = candidate;
    return false;
}

/// Select the bit columns whose two children are both worth having, once each, and
/// put the promising ones first.
template <class Sum>
void NodeBuilder<Sum>::keep_useful_bits(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    const std::size_t n = candidate_splits_.size();
    const std::size_t stride = candidate_stride_;
    chosen_.clear();
    if (n > 0) {
        candidate_sums_.resize(slots * stride);
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            kernels_.count({candidates_.data(), stride}, node.planes[slot].data(),
                           node.planes[slot].size(),
                           candidate_sums_.data() + slot * stride, padded(n));
        }
        hash_candidates(node);
        table_.assign(std::bit_ceil(2 * n), none);
    }
    const Weight cap = problem_.grid.penalty / problem_.grid.scale;
    std::vector<Sum>& rest = cell_sums_;
    rest.resize(slots);
    for (std::uint32_t index = 0; index < n; ++index) {
        const Sum* yes = candidate_sums_.data() + index;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            rest[slot] = node.total[slot] - yes[slot * stride];
        }
        if (!reader_.is_child(yes, stride) || !reader_.is_child(rest.data(), 1)) continue;
        if (is_repeated(node, index)) continue;
        const Weight loss_yes = reader_.loss(yes, stride);
        const Weight loss_no = reader_.loss(rest.data(), 1);
        const Weight bound = std::min(loss_yes, cap) + std::min(loss_no, cap);
        constexpr Weight most = (Weight{1} << 31) - 1;
        chosen_.emplace_back(std::min(bound, most) << 31 |
                                 std::min(loss_yes + loss_no, most),
                             index);
    }
    std::sort(chosen_.begin(), chosen_.end());
}

/// Give every split its number, its place in its column, and its sums.
template <class Sum>
void NodeBuilder<Sum>::number_splits(Node<Sum>& node) {
    fill_planes(node);
    keep_useful_bits(node);
    const std::uint32_t slots = reader_.size();
    node.n_bits = static_cast<std::uint32_t>(chosen_.size());
    node.bit_stride = padded(node.n_bits);
    node.width = node.bit_stride + padded(node.n_cells);
    node.splits.assign(node.width, {});
    node.is_split.assign(node.width, 0);
    node.next.assign(node.width, none);
    node.previous.assign(node.width, none);
    node.yes.assign(slots * node.width, 0);
    node.bits.resize(node.n_words * node.bit_stride);
    for (std::uint32_t word = 0; word < node.n_words; ++word) {
        const std::uint64_t* from = candidates_.data() + word * candidate_stride_;
        std::uint64_t* to = node.bits.data() + word * node.bit_stride;
        for (std::uint32_t index = 0; index < node.n_bits; ++index) {
            to[index] = from[chosen_[index].second];
        }
        std::fill(to + node.n_bits, to + node.bit_stride, 0);
    }
    for (std::uint32_t index = 0; index < node.n_bits; ++index) {
        const std::uint32_t candidate = chosen_[index].second;
        node.splits[index] = candidate_splits_[candidate];
        node.is_split[index] = 1;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            node.yes[slot * node.width + index] =
                candidate_sums_[slot * candidate_stride_ + candidate];
        }
    }
    // Chain the cuts of each column in order.
    table_.resize(node.n_bits);
    for (std::uint32_t index = 0; index < node.n_bits; ++index) table_[index] = index;
    std::sort(table_.begin(), table_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Split &x = node.splits[a], &y = node.splits[b];
        return x.column != y.column ? x.column < y.column : x.cut < y.cut;
    });
    for (std::uint32_t index = 1; index < node.n_bits; ++index) {
        const std::uint32_t a = table_[index - 1], b = table_[index];
        if (node.splits[a].column != node.splits[b].column) continue;
        node.next[a] = b;
        node.previous[b] = a;
    }
    fill_cells(node);
}

/// Number the cells of histogram columns and sum the rows up to each.
template <class Sum>
void NodeBuilder<Sum>::fill_cells(Node<Sum>& node) {
    const std::uint32_t slots = reader_.size();
    const std::size_t n_columns = node.histograms.size();
    if (n_columns == 0) return;
    std::vector<std::uint32_t> by_column(node.row_cells.begin(),
                                         node.row_cells.begin() +
                                             n_columns * node.n_rows);
    node.row_cells.resize(n_columns * node.n_rows);
    for (std::size_t index = 0; index < n_columns; ++index) {
        for (std::uint32_t row = 0; row < node.n_rows; ++row) {
            node.row_cells[row * n_columns + index] =
                by_column[index * node.n_rows + row];
        }
    }
    for (std::uint32_t row = 0; row < node.n_rows; ++row) {
        for (std::size_t index = 0; index < n_columns; ++index) {
            const std::uint32_t cell = node.row_cells[row * n_columns + index];
            for (std::uint32_t slot = 0; slot < slots; ++slot) {
                node.yes[slot * node.width + node.bit_stride + cell] +=
                    node.row_sums[row * slots + slot];
            }
        }
    }
    for (const HistogramColumn& column : node.histograms) {
        const std::uint32_t first = node.bit_stride + column.first;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            Sum* sums = node.yes.data() + slot * node.width + first;
            for (std::uint32_t cell = 1; cell < column.n_cells; ++cell) {
                sums[cell] += sums[cell - 1];
            }
        }
        for (std::uint32_t cell = 0; cell + 1 < column.n_cells; ++cell) {
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

template struct Node<std::int32_t>;
template struct Node<std::int64_t>;
template class SumReader<std::int32_t>;
template class SumReader<std::int64_t>;
template class NodeBuilder<std::int32_t>;
template class NodeBuilder<std::int64_t>;

}  // namespace ostrya
