#include "leaf_sets/table.hpp"

#include <algorithm>
#include <numeric>

#include "data/groups.hpp"
#include "data/row_keys.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Sums of each group, in the order in which groups were met.
Vector<Weight> sum_groups(const Request& request, const DistinctRows& rows,
                          Layout layout, bool merged_bounds) {
    const std::size_t k = request.n_labels, width = layout.size();
    Vector<Weight> sums(rows.size() * width, 0, rows.of_row.get_allocator());
    for (std::size_t row = 0; row < request.values.n_rows; ++row) {
        Weight* of = sums.data() + rows.of_row[row] * width;
        const std::int64_t* costs = request.costs + request.codes[row] * k;
        for (std::size_t label = 0; label < k; ++label) {
            of[label] += request.weight(row) * costs[label];
        }
        const auto [least, most] = std::minmax_element(costs, costs + k);
        of[layout.floor()] += request.weight(row) * *least;
        of[layout.worst()] += request.weight(row) * *most;
        of[layout.rows()] += 1;
    }
    if (!merged_bounds) return sums;
    for (std::size_t group = 0; group < rows.size(); ++group) {
        Weight* of = sums.data() + group * width;
        const auto [least, most] = std::minmax_element(of, of + k);
        of[layout.floor()] = *least;
        of[layout.worst()] = *most;
    }
    return sums;
}

/// An order of the groups that does not depend on the order of rows.
Vector<std::uint32_t> group_order(const Vector<SplitColumn>& columns,
                                  const Groups& groups, const Vector<Weight>& sums,
                                  Layout layout) {
    const auto hashes = hash_rows(columns, groups.size(), [] { return false; });
    const FeatureOrder by_features(columns, groups, *hashes);
    Vector<std::uint32_t> order(groups.size(), 0, sums.get_allocator());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (layout.n_labels == 2) {
            const Weight* x = sums.data() + a * layout.size();
            const Weight* y = sums.data() + b * layout.size();
            // Groups without weight have no share; they stand last.
            const bool x_weighs = x[0] + x[1] > 0, y_weighs = y[0] + y[1] > 0;
            if (x_weighs != y_weighs) return x_weighs;
            const auto left = static_cast<__int128>(x[0]) * y[1];
            const auto right = static_cast<__int128>(y[0]) * x[1];
            if (left != right) return left > right;
        }
        return by_features(a, b);
    });
    return order;
}

}  // namespace

Table build_table(const Request& request, bool merged_bounds, MemoryBudget& memory,
                  const StopCheck& is_stopped) {
    const StopCheck never = [] { return false; };
    Table table(memory);
    table.layout = {static_cast<std::uint32_t>(request.n_labels)};
    DistinctRows distinct = *find_distinct_rows(request.values, memory, never);
    Ranker ranker(memory, never);
    for (std::uint32_t feature = 0; feature < request.values.n_columns; ++feature) {
        // Without any split a leaf would be taken for proved.
        if (!table.splits.empty() && is_stopped()) break;
        Column column = *ranker.rank(request.values, distinct.first, feature);
        if (column.n_ranks() > 1) table.splits.push_back(all_cuts(column, memory));
        table.values.push_back(std::move(column.values));
    }
    const Vector<Weight> sums =
        sum_groups(request, distinct, table.layout, merged_bounds);
    const Groups groups = keep_rows_apart(distinct.size(), memory);
    table.rows = std::move(distinct.first);
    const Vector<std::uint32_t> order =
        group_order(table.splits, groups, sums, table.layout);
    const std::size_t width = table.layout.size();
    table.n_groups = order.size();
    table.totals.assign(width, 0);
    for (const std::uint32_t group : order) {
        for (std::size_t slot = 0; slot < width; ++slot) {
            table.sums.push_back(sums[group * width + slot]);
            table.totals[slot] += sums[group * width + slot];
        }
    }
    for (SplitColumn& split : table.splits) {
        Vector<std::uint32_t> ranks(order.size(), 0, memory);
        for (std::size_t index = 0; index < order.size(); ++index) {
            ranks[index] = split.ranks[groups.representative[order[index]]];
        }
        split.ranks = std::move(ranks);
    }
    Digest digest = start_row_keys();
    digest.add_number(static_cast<std::uint64_t>(request.scale.penalty));
    digest.add_all(table.sums);
    add_ranks(digest, table.splits, table.n_groups, never);
    table.keys = row_keys(digest, table.n_groups, memory, never);
    return table;
}

}  // namespace ostrya::leaf_sets
