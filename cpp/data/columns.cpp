#include "data/columns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ostrya {
namespace {

constexpr std::size_t few_values = 32;

/// Collect distinct values while there are few; false when there are many.
bool collect_few(const double* values, std::size_t n_rows, std::vector<double>& out) {
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

/// Integers in a narrow range are ranked by counting; false for anything else.
bool rank_by_counting(const double* values, Column& column) {
    const std::size_t n_rows = column.ranks.size();
    const auto [low, high] = std::minmax_element(values, values + n_rows);
    const double range = *high - *low;
    if (!(range <= 4.0 * static_cast<double>(n_rows) + 1024)) return false;
    std::vector<std::uint32_t> rank_of(static_cast<std::size_t>(range) + 1, 0);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double offset = values[row] - *low;
        const auto at = static_cast<std::size_t>(offset);
        if (static_cast<double>(at) != offset ||
            static_cast<double>(at) + *low != values[row]) {
            return false;
        }
        rank_of[at] = 1;
        column.ranks[row] = static_cast<std::uint32_t>(at);
    }
    column.values.clear();
    for (std::size_t at = 0; at < rank_of.size(); ++at) {
        if (rank_of[at] == 0) continue;
        rank_of[at] = column.n_ranks();
        column.values.push_back(static_cast<double>(at) + *low);
    }
    for (std::uint32_t& rank : column.ranks) rank = rank_of[rank];
    return true;
}

void rank_by_sorting(const double* values, Column& column) {
    std::vector<std::pair<double, std::uint32_t>> order(column.ranks.size());
    for (std::size_t row = 0; row < order.size(); ++row) {
        order[row] = {values[row], static_cast<std::uint32_t>(row)};
    }
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    column.values.clear();
    for (const auto& [value, row] : order) {
        if (column.values.empty() || column.values.back() != value) {
            column.values.push_back(value);
        }
        column.ranks[row] = column.n_ranks() - 1;
    }
}

}  // namespace

Column rank_values(const double* values, std::size_t n_rows, std::uint32_t feature) {
    Column column;
    column.feature = feature;
    column.ranks.resize(n_rows);
    if (rank_by_counting(values, column)) return column;
    column.values.clear();
    if (collect_few(values, n_rows, column.values)) {
        rank_by_search(values, column);
    } else {
        rank_by_sorting(values, column);
    }
    return column;
}

double threshold_between(double below, double above) {
    const double middle = below / 2 + above / 2;
    return middle >= below && middle < above ? middle : below;
}

}  // namespace ostrya
