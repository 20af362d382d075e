#include "leaf_sets/table.hpp"

#include <algorithm>
#include <numeric>

#include "data/groups.hpp"
#include "data/row_keys.hpp"
#include "data/sort_in_parts.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Add one row to the sums of its group.
void add_row(const Request& request, std::size_t row, Layout layout, Weight* sums) {
    const std::size_t k = request.n_labels;
    const auto label = static_cast<std::size_t>(request.codes[row]);
    const std::int64_t* costs = request.costs + label * k;
    for (std::size_t other = 0; other < k; ++other) {
        sums[other] += request.weight(row) * costs[other];
    }
    const auto [least, most] = std::minmax_element(costs, costs + k);
    sums[layout.floor()] += request.weight(row) * *least;
    sums[layout.worst()] += request.weight(row) * *most;
    sums[layout.rows()] += 1;
}

/// Sums of each group, in the order in which groups were met. Nothing if stopped.
std::optional<Vector<Weight>> sum_groups(const Request& request,
                                         const DistinctRows& rows, Layout layout,
                                         bool merged_bounds,
                                         const StopCheck& is_stopped) {
    const std::size_t k = request.n_labels, width = layout.size();
    Vector<Weight> sums(rows.size() * width, 0, rows.of_row.get_allocator());
    for (std::size_t row = 0; row < request.values.n_rows(); ++row) {
        if (is_stopped_at(row * k, is_stopped)) return {};
        add_row(request, row, layout, sums.data() + rows.of_row[row] * width);
    }
    if (!merged_bounds) return sums;
    for (std::size_t group = 0; group < rows.size(); ++group) {
        if (is_stopped_at(group * k, is_stopped)) return {};
        Weight* of = sums.data() + group * width;
        const auto [least, most] = std::minmax_element(of, of + k);
        of[layout.floor()] = *least;
        of[layout.worst()] = *most;
    }
    return sums;
}

/// An order of the groups that does not depend on the order of rows. Nothing if
/// stopped.
std::optional<Vector<std::uint32_t>> group_order(const Vector<SplitColumn>& columns,
                                                 const Groups& groups,
                                                 const Vector<Weight>& sums,
                                                 Layout layout,
                                                 const StopCheck& is_stopped) {
    const auto hashes = hash_rows(columns, groups.size(), is_stopped);
    if (!hashes) return {};
    const FeatureOrder by_features(columns, groups, *hashes);
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
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
    };
    Vector<std::uint32_t> order(groups.size(), 0, sums.get_allocator());
    std::iota(order.begin(), order.end(), 0);
    if (!sort_in_parts(order, compare, is_stopped)) return {};
    return order;
}

/// The splits and values of every feature; false if stopped.
bool rank_features(const Request& request, const DistinctRows& distinct,
                   MemoryBudget& memory, const StopCheck& is_stopped, Table& table) {
    const SharedLoop loop(1, is_stopped);
    Vector<Column> columns =
        rank_columns(request.values, distinct, request.known, memory, loop);
    if (columns.size() < request.values.n_columns()) return false;
    for (Column& column : columns) {
        if (column.n_ranks() > 1) table.splits.push_back(all_cuts(column, memory));
        table.values.push_back(std::move(column.values));
    }
    return true;
}

/// Put groups, and all that is known of them, in this order.
void reorder(const Vector<std::uint32_t>& order, const Vector<Weight>& sums,
             Table& table) {
    const std::size_t width = table.layout.size();
    table.n_groups = order.size();
    table.sums.reserve(sums.size());
    for (const std::uint32_t group : order) {
        for (std::size_t slot = 0; slot < width; ++slot) {
            table.sums.push_back(sums[group * width + slot]);
            table.totals[slot] += sums[group * width + slot];
        }
    }
    keep_rows(table.splits, order, SharedLoop(1, [] { return false; }));
}

/// The steps from rows to a table; false as soon as one is stopped.
bool complete(const Request& request, bool merged_bounds, MemoryBudget& memory,
              const StopCheck& is_stopped, Table& table) {
    std::optional<DistinctRows> distinct =
        find_distinct_rows(request.values.cells, memory, is_stopped);
    if (!distinct) return false;
    if (!rank_features(request, *distinct, memory, is_stopped, table)) return false;
    const auto sums =
        sum_groups(request, *distinct, table.layout, merged_bounds, is_stopped);
    if (!sums) return false;
    const Groups groups = keep_rows_apart(distinct->size(), memory);
    table.rows = std::move(distinct->first);
    const auto order =
        group_order(table.splits, groups, *sums, table.layout, is_stopped);
    if (!order || is_stopped()) return false;
    reorder(*order, *sums, table);
    Digest digest = start_row_keys();
    digest.add_number(static_cast<std::uint64_t>(request.scale.penalty));
    digest.add_all(table.sums);
    if (!add_ranks(digest, table.splits, table.n_groups, is_stopped)) return false;
    table.keys = row_keys(digest, table.n_groups, memory, is_stopped);
    return table.keys.size() == table.n_groups;
}

/// All rows as one group.
Table lone_group(const Request& request, MemoryBudget& memory) {
    Table table(memory);
    table.is_complete = false;
    table.layout = {static_cast<std::uint32_t>(request.n_labels)};
    table.totals.assign(table.layout.size(), 0);
    for (std::size_t row = 0; row < request.values.n_rows(); ++row) {
        add_row(request, row, table.layout, table.totals.data());
    }
    table.n_groups = 1;
    table.sums = table.totals;
    table.keys.push_back({1, 1});
    return table;
}

}  // namespace

Table build_table(const Request& request, bool merged_bounds, MemoryBudget& memory,
                  const StopCheck& is_stopped) {
    {
        Table table(memory);
        table.layout = {static_cast<std::uint32_t>(request.n_labels)};
        table.totals.assign(table.layout.size(), 0);
        if (complete(request, merged_bounds, memory, is_stopped, table)) return table;
    }
    return lone_group(request, memory);
}

}  // namespace ostrya::leaf_sets
