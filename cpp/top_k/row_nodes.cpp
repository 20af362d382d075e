#include "top_k/row_nodes.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/padding.hpp"

namespace ostrya {

template <class SumType>
RowNodes<SumType>::RowNodes(const Problem& problem, const TopK& top_k, StopSign& stop)
    : stop_(stop),
      reader_(problem),
      rows_(problem, stop),
      best_(rows_, reader_, top_k) {}

template <class SumType>
void RowNodes<SumType>::build_root(Node& root) {
    root.n_rows = root.rows.n_rows = rows_.n_rows;
    root.rows.words.assign((rows_.n_rows + 63) / 64, ~std::uint64_t{0});
    root.rows.words.back() &= tail_mask(rows_.n_rows);
    root.rows.hash = {};
    root.total.assign(rows_.slots, 0);
    for (std::uint32_t row = 0; row < rows_.n_rows; ++row) {
        root.rows.hash ^= rows_.keys[row];
        const Sum* sums = rows_.sums_of(row);
        for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
            root.total[slot] += sums[slot];
        }
    }
}

template <class SumType>
bool RowNodes<SumType>::choose(Node& node, std::uint32_t k,
                               std::vector<std::uint32_t>& chosen) {
    chosen.clear();
    if (!node.table) {
        const BucketTable<Sum>* above = node.parent ? node.parent->table : nullptr;
        node.table = node.tables.make(rows_, node.rows, above, stop_);
        if (!node.table) return true;
    }
    const bool has_left_out = best_.find(*node.table, node.total.data(), k, stop_);
    if (stop_.is_up()) return true;
    const std::vector<Ranked>& cuts = best_.cuts();
    node.width = static_cast<std::uint32_t>(cuts.size());
    node.splits.clear();
    node.yes.resize(std::size_t{rows_.slots} * node.width);
    for (std::uint32_t split = 0; split < node.width; ++split) {
        node.splits.push_back({cuts[split].column(), cuts[split].cut()});
        const Sum* sums = best_.sums_of(cuts[split]);
        for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
            node.yes[slot * node.width + split] = sums[slot];
        }
    }
    chosen.resize(node.width);
    std::iota(chosen.begin(), chosen.end(), 0u);
    return has_left_out;
}

template <class SumType>
void RowNodes<SumType>::part(const Node& node, std::uint32_t split, Parting& parting) {
    const Split& by = node.splits[split];
    const std::vector<std::uint32_t>& ranks = rows_.problem.splits[by.column].ranks;
    RowSet &yes = parting.yes, &no = parting.no;
    parting.split = split;
    yes.words.resize(node.rows.words.size());
    no.words.resize(node.rows.words.size());
    yes.n_rows = 0;
    for (std::size_t at = 0; at < node.rows.words.size(); ++at) {
        std::uint64_t word = 0;
        for_each_bit(node.rows.words[at], at, [&](std::uint32_t row) {
            word |= std::uint64_t{ranks[row] <= by.cut} << row % 64;
        });
        yes.words[at] = word;
        no.words[at] = node.rows.words[at] ^ word;
        yes.n_rows += static_cast<std::uint32_t>(std::popcount(word));
    }
    no.n_rows = node.n_rows - yes.n_rows;
    RowSet& smaller = yes.n_rows < no.n_rows ? yes : no;
    RowSet& larger = yes.n_rows < no.n_rows ? no : yes;
    smaller.hash = {};
    for (std::size_t at = 0; at < smaller.words.size(); ++at) {
        for_each_bit(smaller.words[at], at,
                     [&](std::uint32_t row) { smaller.hash ^= rows_.keys[row]; });
    }
    larger.hash = smaller.hash ^ node.rows.hash;
}

template <class SumType>
void RowNodes<SumType>::build(const Node& node, const Parting& parting, bool yes,
                              Node& child) {
    child.rows = yes ? parting.yes : parting.no;
    child.n_rows = child.rows.n_rows;
    child.total.resize(rows_.slots);
    for (std::uint32_t slot = 0; slot < rows_.slots; ++slot) {
        const Sum sum = node.yes[slot * node.width + parting.split];
        child.total[slot] = yes ? sum : node.total[slot] - sum;
    }
    child.parent = &node;
    child.table = nullptr;
}

/// Counting every cut follows rows times columns and what the columns have in cuts; row
/// sets cost about the same at any size. Measured on 30 tables, from 900 to 50,000 rows
/// and from 19 to 50,000 cuts a column, row sets won above 1.5 million rows times cuts
/// a column (by 2 to 40), and lost below.
bool suit_row_nodes(const Problem& problem) {
    const std::uint64_t cuts = problem.n_cuts(), columns = problem.splits.size();
    return cuts >= 16 * columns && problem.n_groups * cuts > 1'500'000 * columns;
}

std::uint64_t row_nodes_bytes(const Problem& problem) {
    const std::uint64_t a_row =
        9 * problem.splits.size() + 8 * problem.layout.size() + 24;
    const std::uint64_t a_bucket = 8 * problem.layout.size();
    return problem.n_groups * a_row +
           std::min<std::uint64_t>(problem.n_cuts(), 256 * problem.splits.size()) *
               a_bucket * 4;
}

template class RowNodes<std::int32_t>;
template class RowNodes<std::int64_t>;

}  // namespace ostrya
