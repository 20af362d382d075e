#include "node/node_builder.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <type_traits>

#include "kernels/padding.hpp"

namespace ostrya {
namespace {

/// From how many rows on a node's pairs are counted in tables. They pay where columns
/// have many values and values many rows; with few rows bits are as fast. A table holds
/// up to a million cells, which stay in the cache.
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
    // Two columns make at most eight cells per row; with nine, both ways cost the same.
    const bool is_worth =
        n_cuts >= 32 * n_columns &&
        n_cuts * n_cuts <= 8 * problem.n_groups * n_columns * n_columns;
    return is_worth ? 256 : none;
}

/// Up to how many cuts a column is spread into bit columns. Counting a pair of bit
/// columns takes a few cycles per 512 rows; a histogram pays per row and column, then
/// nearly nothing per cut. Measured on 2,000 rows (bits win up to 160 cuts) and
/// 10,000 rows (histograms win from 20 cuts on). With more classes, where blocks of
/// cells serve all scans, bits are counted once per class and win up to 64 cuts:
/// measured on wine, vehicle, vowel and wireless-indoor, of 180 to 2,000 rows.
std::uint32_t few_cuts(std::uint32_t n_rows, const Problem& problem) {
    const bool has_blocks = !problem.layout.is_binary() && !problem.ranks_splits &&
                            problem.scale.penalty == 0;
    return std::clamp<std::uint32_t>(200000 / (n_rows + 1), 8, has_blocks ? 64 : 160);
}

}  // namespace

template <class Sum>
NodeBuilder<Sum>::NodeBuilder(const Problem& problem, MemoryBudget& memory)
    : problem_(problem),
      reader_(problem),
      kernels_(problem.layout.is_binary() ? binary_kernels<Sum>()
                                          : general_kernels<Sum>()),
      least_table_rows_(least_table_rows(problem)),
      source_(memory),
      useful_(reader_, memory),
      candidates_(problem, reader_, kernels_, memory),
      cell_sums_(memory) {}

template <class Sum>
bool NodeBuilder<Sum>::build_root(Node<Sum>& root, const StopCheck& is_stopped) {
    const auto n = static_cast<std::uint32_t>(problem_.n_groups);
    const std::uint32_t slots = reader_.size();
    NodeRows<Sum>& rows = root.rows;
    rows.n = n;
    rows.n_words = words_for(n);
    rows.keys.assign(problem_.keys.begin(), problem_.keys.end());
    rows.hash = {};
    rows.sums.assign(problem_.sums.begin(), problem_.sums.end());
    rows.total.assign(slots, 0);
    source_.resize(n);
    for (std::uint32_t row = 0; row < n; ++row) {
        source_[row] = row;
        rows.hash += rows.keys[row];
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            rows.total[slot] += rows.sums[std::size_t{row} * slots + slot];
        }
    }
    // What kernels rely on; every other node has a part of these rows.
    assert(std::ranges::all_of(rows.total, [](Sum total) {
        return 0 <= total && total < unreachable_loss<Sum>;
    }));
    find_gains(root);
    start_columns(root, 0);
    Vector<std::uint32_t> cuts(source_.get_allocator()), ranks(cuts.get_allocator());
    for (std::uint32_t column = 0; column < problem_.splits.size(); ++column) {
        if (is_stopped()) return false;
        const SplitColumn& from = problem_.splits[column];
        while (cuts.size() < from.n_ranks()) {
            cuts.push_back(static_cast<std::uint32_t>(cuts.size()));
        }
        ranks.resize(n);
        from.ranks.visit([&](const auto stored) {
            for (std::uint32_t row = 0; row < n; ++row) ranks[row] = stored[row];
        });
        add_column(root, {column, ranks.data(), 0, from.n_ranks(), cuts.data()});
    }
    if (is_stopped()) return false;
    rows.planes.slice(rows.sums.data(), n, slots);
    finish(root);
    return true;
}

template <class Sum>
void NodeBuilder<Sum>::build_child(const Node<Sum>& parent,
                                   const Vector<std::uint64_t>& keep,
                                   const RowHash& hash, const Vector<Sum>& total,
                                   Node<Sum>& child) {
    const std::uint32_t slots = reader_.size();
    if (source_.size() < parent.rows.n) source_.resize(parent.rows.n);
    std::uint32_t* end = source_.data();
    for (std::uint32_t word = 0; word < parent.rows.n_words; ++word) {
        for_each_bit(keep[word], word, [&end](std::uint32_t row) { *end++ = row; });
    }
    const auto n = static_cast<std::uint32_t>(end - source_.data());
    NodeRows<Sum>& rows = child.rows;
    rows.hash = hash;
    rows.n = n;
    rows.n_words = words_for(n);
    rows.total = total;
    rows.keys.resize(n);
    for (std::uint32_t row = 0; row < n; ++row) {
        rows.keys[row] = parent.rows.keys[source_[row]];
    }
    if (!parent.histograms.empty()) {
        rows.sums.resize(std::size_t{n} * slots);
        for (std::uint32_t row = 0; row < n; ++row) {
            std::copy_n(parent.rows.sums.data() + std::size_t{source_[row]} * slots,
                        slots, rows.sums.data() + std::size_t{row} * slots);
        }
        if (!reader_.layout().is_binary()) {
            const auto& gains = parent.histograms.labels.gains;
            child.histograms.labels.gains.resize(n);
            for (std::uint32_t row = 0; row < n; ++row) {
                child.histograms.labels.gains[row] = gains[source_[row]];
            }
        }
    }
    start_columns(child, parent.bits.n);
    candidates_.inherit(parent, keep.data());
    for (std::size_t index = 0; index < parent.histograms.size(); ++index) {
        const HistogramColumn& column = parent.histograms.columns[index];
        add_column(child,
                   {column.column, parent.histograms.cells_of(index), column.first,
                    column.n_cells, parent.histograms.cuts.data() + column.first});
    }
    rows.planes.compress(parent.rows.planes, keep.data(), parent.rows.n_words, n);
    finish(child);
}

template <class Sum>
void NodeBuilder<Sum>::start_columns(Node<Sum>& node, std::size_t n_bits) {
    cell_sums_.clear();
    node.histograms.clear(node.rows.n);
    node.uses_tables = node.rows.n >= least_table_rows_;
    candidates_.start(node.rows.n_words, n_bits);
}

/// What the rows of the root gain by their labels.
template <class Sum>
void NodeBuilder<Sum>::find_gains(Node<Sum>& root) const {
    if (reader_.layout().is_binary()) return;
    const std::uint32_t slots = reader_.size(), n_labels = reader_.layout().n_labels;
    Vector<RowGain<Sum>>& gains = root.histograms.labels.gains;
    gains.resize(root.rows.n);
    for (std::uint32_t row = 0; row < root.rows.n; ++row) {
        const Sum* sums = root.rows.sums.data() + std::size_t{row} * slots;
        gains[row] = {};
        std::uint32_t n_gained = 0;
        for (std::uint32_t label = 0; label < n_labels; ++label) {
            if (sums[label] == 0) continue;
            gains[row] = {sums[label], label};
            ++n_gained;
        }
        // A row without any gain may have any label.
        if (n_gained == 0) gains[row].label = 0;
        if (n_gained > 1) gains[row].label = RowGain<Sum>::no_label;
    }
}

/// Add a column: as bit columns when few cuts are worth making, else as a histogram.
template <class Sum>
void NodeBuilder<Sum>::add_column(Node<Sum>& node, const RankedColumn& column) {
    useful_.find(node.rows, column, source_);
    const std::size_t n_cuts = useful_.cuts().size();
    if (n_cuts == 0) return;
    if (node.uses_tables ||
        n_cuts > problem_.few_cuts.value_or(few_cuts(node.rows.n, problem_))) {
        add_histogram(node, column);
        return;
    }
    candidates_.add_cuts(
        column.column, useful_.cuts(), node.rows.n, [&](std::uint32_t row) {
            return useful_.new_ranks()[column.ranks[source_[row]] - column.first];
        });
}

template <class Sum>
void NodeBuilder<Sum>::add_histogram(Node<Sum>& node, const RankedColumn& column) {
    Histograms<Sum>& histograms = node.histograms;
    const std::size_t index = histograms.size();
    const std::uint32_t first = histograms.n_cells;
    const auto n_cuts = static_cast<std::uint32_t>(useful_.cuts().size());
    const std::uint32_t n_cells = padded(n_cuts + 1);
    histograms.columns.push_back({column.column, first, n_cells, n_cuts});
    histograms.n_cells += n_cells;
    histograms.cuts.insert(histograms.cuts.end(), useful_.cuts().begin(),
                           useful_.cuts().end());
    histograms.cuts.resize(histograms.n_cells, none);
    const std::uint32_t slots = reader_.size();
    cell_sums_.resize(std::size_t{histograms.n_cells} * slots, 0);
    const std::uint32_t n_ranks = column.n_ranks;
    const std::uint32_t* const new_ranks = useful_.new_ranks();
    Sum* const cell_sums = cell_sums_.data() + std::size_t{first} * slots;
    const auto add_ranks = [&](const auto n_slots) {
        const Sum* from = useful_.rank_sums();
        for (std::uint32_t rank = 0; rank < n_ranks; ++rank, from += n_slots) {
            Sum* to = cell_sums + std::size_t{new_ranks[rank]} * n_slots;
            for (std::uint32_t slot = 0; slot < n_slots; ++slot) to[slot] += from[slot];
        }
    };
    // Known to compilers for two classes, so that there is no loop over slots.
    if (slots == 2) {
        add_ranks(std::integral_constant<std::uint32_t, 2>());
    } else {
        add_ranks(slots);
    }
    histograms.column_cells.resize((index + 1) * node.rows.n);
    std::uint32_t* cells = histograms.column_cells.data() + index * node.rows.n;
    const std::uint32_t* const source = source_.data();
    const std::uint32_t n = node.rows.n;
    for (std::uint32_t row = 0; row < n; ++row) {
        cells[row] = first + new_ranks[column.ranks[source[row]] - column.first];
    }
}

/// Give every split its number, its place in its column, and its sums.
template <class Sum>
void NodeBuilder<Sum>::finish(Node<Sum>& node) {
    node.rows.planes.list_words(node.rows.n_words, reader_.size());
    candidates_.write(node, node.histograms.n_cells);
    Histograms<Sum>& histograms = node.histograms;
    if (histograms.empty()) return;
    fill_cells(node);
    if (node.uses_tables) return;
    histograms.list_row_cells();
    histograms.sort_rows(reader_.layout().is_binary() ? 4 : 8);
    if (reader_.layout().is_binary()) {
        histograms.sum_blocks(node.splits.yes.data() + node.bits.stride,
                              node.splits.width);
    } else if (!problem_.ranks_splits) {
        histograms.sum_label_blocks(node.splits.yes.data() + node.bits.stride,
                                    node.splits.width, reader_.layout());
    }
}

/// Number the cells of histogram columns and sum the rows up to each.
template <class Sum>
void NodeBuilder<Sum>::fill_cells(Node<Sum>& node) const {
    const std::uint32_t slots = reader_.size();
    NodeSplits<Sum>& splits = node.splits;
    for (const HistogramColumn& column : node.histograms.columns) {
        const std::uint32_t first = node.first_split(column);
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            Sum* yes = splits.yes.data() + std::size_t{slot} * splits.width + first;
            Sum sum = 0;
            for (std::uint32_t cell = 0; cell < column.n_cells; ++cell) {
                sum += cell_sums_[std::size_t{column.first + cell} * slots + slot];
                yes[cell] = sum;
            }
            assert(sum == node.rows.total[slot]);
        }
        for (std::uint32_t cell = 0; cell < column.n_cuts; ++cell) {
            splits.names[first + cell] = {column.column,
                                          node.histograms.cuts[column.first + cell]};
            splits.is_split[first + cell] = 1;
            if (cell > 0) {
                splits.previous[first + cell] = first + cell - 1;
                splits.next[first + cell - 1] = first + cell;
            }
        }
    }
}

template class NodeBuilder<std::int32_t>;
template class NodeBuilder<std::int64_t>;

}  // namespace ostrya
