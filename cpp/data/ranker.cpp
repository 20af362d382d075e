#include "data/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ostrya {
namespace {

constexpr std::size_t few_values = 32;

/// Collect distinct values while there are few; false when there are many.
bool collect_few(const Vector<double>& values, Vector<double>& out) {
    for (const double value : values) {
        auto at = std::lower_bound(out.begin(), out.end(), value);
        if (at != out.end() && *at == value) continue;
        if (out.size() == few_values) return false;
        out.insert(at, value);
    }
    return true;
}

/// Whether these numbers lie whole steps apart from the first.
bool are_whole_steps(const double* values, std::size_t n) {
    return std::all_of(values, values + n, [&](double value) {
        return std::trunc(value - values[0]) == value - values[0];
    });
}

}  // namespace

/// Columns of few values: each is looked up among them.
bool Ranker::rank_by_search(Vector<double>& distinct) {
    distinct.clear();
    if (!collect_few(values_, distinct)) return false;
    const auto begin = distinct.begin();
    for (std::size_t row = 0; row < values_.size(); ++row) {
        const auto at = std::lower_bound(begin, distinct.end(), values_[row]);
        ranks_[row] = static_cast<std::uint32_t>(at - begin);
    }
    return true;
}

/// Columns of one or two values are ranked by comparing.
bool Ranker::rank_by_comparing(Vector<double>& distinct) {
    const double* values = values_.data();
    std::uint32_t* ranks = ranks_.data();
    const std::size_t n_rows = values_.size();
    const double first = values[0];
    const double* other = std::find_if(values, values + n_rows,
                                       [&](double value) { return value != first; });
    distinct = {first};
    if (other == values + n_rows) {
        std::fill_n(ranks, n_rows, 0);
        return true;
    }
    distinct.push_back(*other);
    std::sort(distinct.begin(), distinct.end());
    const double low = distinct[0], high = distinct[1];
    bool has_third = false;
    for (std::size_t start = 0; start < n_rows && !has_third; start += 1024) {
        const std::size_t end = std::min(start + 1024, n_rows);
        for (std::size_t row = start; row < end; ++row) {
            has_third |= values[row] != low && values[row] != high;
            ranks[row] = values[row] != low;
        }
    }
    return !has_third;
}

/// Integers in a narrow range are ranked by counting.
bool Ranker::rank_by_counting(Vector<double>& distinct) {
    const double* values = values_.data();
    const std::size_t n_rows = values_.size();
    if (!are_whole_steps(values, std::min(n_rows, few_values))) return false;
    double low = values[0], high = values[0];
    for (std::size_t row = 0; row < n_rows; ++row) {
        low = std::min(low, values[row]);
        high = std::max(high, values[row]);
    }
    const double range = high - low;
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (!(range <= std::min(4.0 * static_cast<double>(n_rows) + 1024, most))) {
        return false;
    }
    bool is_whole = true;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double offset = values[row] - low;
        const auto at = static_cast<std::int32_t>(offset);
        is_whole &= at == offset && at + low == values[row];
        ranks_[row] = static_cast<std::uint32_t>(at);
    }
    if (!is_whole) return false;
    Vector<std::uint32_t> rank_of(static_cast<std::size_t>(range) + 1, 0, memory_);
    for (const std::uint32_t at : ranks_) rank_of[at] = 1;
    distinct.clear();
    for (std::size_t at = 0; at < rank_of.size(); ++at) {
        if (rank_of[at] == 0) continue;
        rank_of[at] = static_cast<std::uint32_t>(distinct.size());
        distinct.push_back(static_cast<double>(at) + low);
    }
    for (std::uint32_t& rank : ranks_) rank = rank_of[rank];
    return true;
}

void Ranker::close_ranks(std::size_t n_numbers, Vector<double>& distinct) {
    Vector<std::uint32_t> rank_of(n_numbers, 0, memory_);
    for (const std::uint32_t number : ranks_) rank_of[number] = 1;
    std::uint32_t n_ranks = 0;
    for (std::uint32_t& rank : rank_of) {
        if (rank == 1) rank = n_ranks++;
    }
    distinct.assign(n_ranks, 0);
    for (std::size_t row = 0; row < ranks_.size(); ++row) {
        ranks_[row] = rank_of[ranks_[row]];
        distinct[ranks_[row]] = values_[row];
    }
}

bool Ranker::rank_by_sorting(Vector<double>& distinct) {
    order_.resize(values_.size(), {0, 0});
    for (std::size_t row = 0; row < values_.size(); ++row) {
        order_[row] = {ordered_bits(values_[row]), static_cast<std::uint32_t>(row)};
    }
    if (!sort_by_key(order_, spare_, is_stopped_)) return false;
    std::size_t n_values = 1;
    for (std::size_t at = 1; at < order_.size(); ++at) {
        n_values += order_[at].key != order_[at - 1].key;
    }
    distinct.clear();
    distinct.reserve(n_values);
    distinct.push_back(value_of(order_[0].key));
    std::uint64_t last = order_[0].key;
    std::uint32_t rank = 0;
    for (const KeyedRow& each : order_) {
        if (each.key != last) {
            last = each.key;
            distinct.push_back(value_of(last));
            ++rank;
        }
        ranks_[each.row] = rank;
    }
    return true;
}

std::optional<Column> Ranker::rank(const Cells& cells,
                                   const Vector<std::uint32_t>& rows,
                                   const ColumnRule& rule, const std::uint32_t* known) {
    Column column(memory_);
    ranks_.resize(rows.size());
    values_.resize(rows.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        values_[at] = *cells.at(rows[at], rule.stored);
    }
    if (rule.kind != ColumnRule::Kind::as_stored) {
        for (double& value : values_) value = rule.value(value);
    }
    if (known != nullptr) {
        for (std::size_t at = 0; at < rows.size(); ++at) ranks_[at] = known[rows[at]];
        const auto largest = std::max_element(ranks_.begin(), ranks_.end());
        close_ranks(std::size_t{*largest} + 1, column.values);
    } else if (!rank_by_comparing(column.values) && !rank_by_counting(column.values) &&
               !rank_by_search(column.values) && !rank_by_sorting(column.values)) {
        return {};
    }
    column.ranks = Ranks(
        rows.size(), column.n_ranks(), [&](std::size_t row) { return ranks_[row]; },
        memory_);
    return column;
}

}  // namespace ostrya
