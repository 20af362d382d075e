#include "top_k/row_nodes.hpp"

#include <algorithm>
#include <numeric>

namespace ostrya {

template <class SumType>
RowNodes<SumType>::RowNodes(const Table& table, const TopK& top_k, StopSign& stop,
                            MemoryBudget& memory)
    : stop_(stop),
      reader_(table.problem),
      rows_(table),
      best_(rows_, reader_, top_k, memory) {}

template <class SumType>
void RowNodes<SumType>::build_root(Node& root) {
    root.rows.n = rows_.n_rows;
    root.rows.words.assign(words_for(rows_.n_rows), ~std::uint64_t{0});
    root.rows.words.back() &= tail_mask(rows_.n_rows);
    root.rows.hash = {};
    root.rows.total.assign(rows_.slots, 0);
    for (std::uint32_t row = 0; row < rows_.n_rows; ++row) {
        root.rows.hash += rows_.keys[row];
        const Sum* sums = rows_.sums_of(row);
        for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
            root.rows.total[slot] += sums[slot];
        }
    }
}

template <class SumType>
bool RowNodes<SumType>::choose(Node& node, std::uint32_t k,
                               Vector<std::uint32_t>& chosen) {
    chosen.clear();
    if (!node.table) {
        const BucketTable<Sum>* above = node.parent ? node.parent->table : nullptr;
        node.table = node.tables.make(rows_, node.rows, above, stop_);
        if (!node.table) return true;
    }
    const bool has_left_out = best_.find(*node.table, node.rows.total.data(), k, stop_);
    if (stop_.is_up()) return true;
    const Vector<Ranked>& cuts = best_.cuts();
    NodeSplits<Sum>& splits = node.splits;
    splits.width = static_cast<std::uint32_t>(cuts.size());
    splits.names.clear();
    splits.yes.resize(std::size_t{rows_.slots} * splits.width);
    for (std::uint32_t split = 0; split < splits.width; ++split) {
        splits.names.push_back({cuts[split].column(), cuts[split].cut()});
        const Sum* sums = best_.sums_of(cuts[split]);
        for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
            splits.yes[std::size_t{slot} * splits.width + split] = sums[slot];
        }
    }
    chosen.resize(splits.width);
    std::iota(chosen.begin(), chosen.end(), 0u);
    return has_left_out;
}

template <class SumType>
void RowNodes<SumType>::part(const Node& node, std::uint32_t split,
                             Partition& partition) {
    const Split& by = node.splits.names[split];
    const Ranks& ranks = rows_.problem.splits[by.column].ranks;
    RowSet &yes = partition.yes, &no = partition.no;
    partition.split = split;
    yes.words.resize(node.rows.words.size());
    no.words.resize(node.rows.words.size());
    yes.n = 0;
    for (std::size_t at = 0; at < node.rows.words.size(); ++at) {
        std::uint64_t word = 0;
        for_each_bit(node.rows.words[at], at, [&](std::uint32_t row) {
            word |= std::uint64_t{ranks[row] <= by.cut} << row % 64;
        });
        yes.words[at] = word;
        no.words[at] = node.rows.words[at] ^ word;
        yes.n += static_cast<std::uint32_t>(std::popcount(word));
    }
    no.n = node.rows.n - yes.n;
    RowSet& smaller = yes.n < no.n ? yes : no;
    RowSet& larger = yes.n < no.n ? no : yes;
    smaller.hash = {};
    for (std::size_t at = 0; at < smaller.words.size(); ++at) {
        for_each_bit(smaller.words[at], at,
                     [&](std::uint32_t row) { smaller.hash += rows_.keys[row]; });
    }
    larger.hash = node.rows.hash - smaller.hash;
}

template <class SumType>
void RowNodes<SumType>::build(const Node& node, const Partition& partition, bool yes,
                              Node& child) {
    static_cast<RowSet&>(child.rows) = yes ? partition.yes : partition.no;
    child.rows.total.resize(rows_.slots);
    for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
        child.rows.total[slot] = node.side_sum(slot, partition.split, yes);
    }
    child.parent = &node;
    child.table = nullptr;
}

/// Counting every cut follows rows times columns and what the columns have in cuts; row
/// sets cost about the same at any size. Measured on 30 tables, from 900 to 50,000 rows
/// and from 19 to 50,000 cuts per column, row sets won above 1.5 million rows times
/// cuts per column (by 2 to 40), and lost below.
bool suit_row_nodes(const Problem& problem) {
    const std::uint64_t cuts = problem.n_cuts(), columns = problem.splits.size();
    return cuts >= 16 * columns && problem.n_groups * cuts > 1'500'000 * columns;
}

std::uint64_t row_nodes_bytes(const Problem& problem) {
    std::uint64_t per_row = 8 * problem.layout.size() + 24;
    for (const ColumnRun run : runs_of(problem.splits)) {
        const SplitColumn& column = problem.splits[run.begin];
        if (column.ranks.codes()) {
            per_row += sizeof(std::uint32_t);
        } else {
            per_row += 1 + (column.n_ranks() > 2 ? sizeof(RankedRow) : 0);
        }
    }
    const std::uint64_t per_bucket = 8 * problem.layout.size();
    return problem.n_groups * per_row +
           std::min<std::uint64_t>(problem.n_cuts(), 256 * problem.splits.size()) *
               per_bucket * 4;
}

template class RowNodes<std::int32_t>;
template class RowNodes<std::int64_t>;

}  // namespace ostrya
