#include "data/columns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ostrya {
namespace {

constexpr std::size_t few_values = 32;

/// Collect distinct values while there are few; false when there are many.
bool collect_few(const double* values, std::size_t n_rows, Vector<double>& out) {
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double value = values[row];
        auto at = std::lower_bound(out.begin(), out.end(), value);
        if (at != out.end() && *at == value) continue;
        if (out.size() == few_values) return false;
        out.insert(at, value);
    }
    return true;
}

void rank_by_search(const double* values, Column& column) {
    const auto begin = column.values.begin();
    for (std::size_t row = 0; row < column.ranks.size(); ++row) {
        const auto at = std::lower_bound(begin, column.values.end(), values[row]);
        column.ranks[row] = static_cast<std::uint32_t>(at - begin);
    }
}

/// Columns of one or two values are ranked by comparing; false for anything else.
bool rank_by_comparing(const double* values, Column& column) {
    const std::size_t n_rows = column.ranks.size();
    const double first = values[0];
    const double* other = std::find_if(values, values + n_rows,
                                       [&](double value) { return value != first; });
    column.values = {first};
    if (other == values + n_rows) return true;
    column.values.push_back(*other);
    std::sort(column.values.begin(), column.values.end());
    const double low = column.values[0], high = column.values[1];
    bool has_third = false;
    for (std::size_t start = 0; start < n_rows && !has_third; start += 1024) {
        const std::size_t end = std::min(start + 1024, n_rows);
        for (std::size_t row = start; row < end; ++row) {
            has_third |= values[row] != low && values[row] != high;
            column.ranks[row] = values[row] != low;
        }
    }
    return !has_third;
}

/// Integers in a narrow range are ranked by counting; false for anything else.
bool rank_by_counting(const double* values, Column& column) {
    const std::size_t n_rows = column.ranks.size();
    const auto [low, high] = std::minmax_element(values, values + n_rows);
    const double range = *high - *low;
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (!(range <= std::min(4.0 * static_cast<double>(n_rows) + 1024, most))) {
        return false;
    }
    bool is_whole = true;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double offset = values[row] - *low;
        const auto at = static_cast<std::int32_t>(offset);
        is_whole &= at == offset && at + *low == values[row];
        column.ranks[row] = static_cast<std::uint32_t>(at);
    }
    if (!is_whole) return false;
    Vector<std::uint32_t> rank_of(static_cast<std::size_t>(range) + 1, 0,
                                  column.ranks.get_allocator());
    for (const std::uint32_t at : column.ranks) rank_of[at] = 1;
    column.values.clear();
    for (std::size_t at = 0; at < rank_of.size(); ++at) {
        if (rank_of[at] == 0) continue;
        rank_of[at] = column.n_ranks();
        column.values.push_back(static_cast<double>(at) + *low);
    }
    for (std::uint32_t& rank : column.ranks) rank = rank_of[rank];
    return true;
}

}  // namespace

bool Ranker::rank_by_sorting(Column& column) {
    order_.clear();
    order_.reserve(values_.size());
    for (std::size_t row = 0; row < values_.size(); ++row) {
        order_.push_back({ordered_bits(values_[row]), static_cast<std::uint32_t>(row)});
    }
    if (order_.size() < many_rows) {
        std::sort(order_.begin(), order_.end(),
                  [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
    } else if (!sort_by_key(order_, spare_, is_stopped_)) {
        return false;
    }
    std::size_t n_values = 0;
    for (std::size_t at = 0; at < order_.size(); ++at) {
        n_values += at == 0 || order_[at].key != order_[at - 1].key;
    }
    column.values.clear();
    column.values.reserve(n_values);
    for (std::size_t at = 0; at < order_.size(); ++at) {
        if (at == 0 || order_[at].key != order_[at - 1].key) {
            column.values.push_back(value_of(order_[at].key));
        }
        column.ranks[order_[at].row] = column.n_ranks() - 1;
    }
    return true;
}

std::optional<Column> Ranker::rank(const Matrix& matrix,
                                   const Vector<std::uint32_t>& rows,
                                   std::uint32_t feature) {
    Column column(memory_);
    column.feature = feature;
    column.ranks.resize(rows.size());
    values_.resize(rows.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        values_[at] = *matrix.at(rows[at], feature);
    }
    const double* values = values_.data();
    if (rank_by_comparing(values, column)) return column;
    if (rank_by_counting(values, column)) return column;
    column.values.clear();
    if (collect_few(values, rows.size(), column.values)) {
        rank_by_search(values, column);
    } else if (!rank_by_sorting(column)) {
        return {};
    }
    return column;
}

Vector<Column> rank_columns(const Matrix& matrix, const DistinctRows& rows,
                            MemoryBudget& memory, const StopCheck& is_stopped) {
    Vector<Column> columns(memory);
    columns.reserve(matrix.n_columns);
    Ranker ranker(memory, is_stopped);
    for (std::uint32_t feature = 0; feature < matrix.n_columns; ++feature) {
        if (is_stopped()) break;
        std::optional<Column> column = ranker.rank(matrix, rows.first, feature);
        if (!column) break;
        columns.push_back(std::move(*column));
    }
    return columns;
}

SplitColumn all_cuts(Column& column, MemoryBudget& memory) {
    SplitColumn out(memory);
    out.feature = column.feature;
    out.cuts.resize(column.n_ranks() - 1);
    std::iota(out.cuts.begin(), out.cuts.end(), 0);
    out.ranks = std::move(column.ranks);
    return out;
}

double threshold_between(double below, double above) {
    const double middle = below / 2 + above / 2;
    return middle >= below && middle < above ? middle : below;
}

}  // namespace ostrya
