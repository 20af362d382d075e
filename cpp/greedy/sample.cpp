#include "greedy/sample.hpp"

#include <algorithm>

namespace ostrya {
namespace {

constexpr std::size_t unsorted = ~std::size_t{0};

bool is_level_rule(const ColumnRule& rule) {
    return rule.kind == ColumnRule::Kind::level;
}

}  // namespace

Sample::Sample(const Request& request, MemoryBudget& memory)
    : request_(request),
      rows_(memory),
      order_(memory),
      visited_(memory),
      keyed_(memory),
      spare_(memory) {}

std::size_t Sample::n_orders(const Request& request) {
    const Matrix& values = request.values;
    std::vector<bool> has_order(values.cells.n_columns, false);
    std::size_t n = 0;
    for (std::size_t feature = 0; feature < values.n_columns(); ++feature) {
        const ColumnRule rule = values.rule(feature);
        if (is_level_rule(rule) && has_order[rule.stored]) continue;
        if (is_level_rule(rule)) has_order[rule.stored] = true;
        ++n;
    }
    return n;
}

std::uint64_t Sample::bytes(const Request& request, std::size_t n_rows) {
    return n_rows * (4 * n_orders(request) + 2 * sizeof(KeyedRow) + 16) +
           sizeof(Visited) * request.values.n_columns();
}

void Sample::take(std::size_t n_rows, const StopCheck& is_stopped) {
    const std::size_t n_all = request_.values.n_rows();
    n_rows = std::min({n_rows, n_all, std::size_t{new_bit} - 1});
    rows_.resize(n_rows);
    for (std::size_t at = 0; at < n_rows; ++at) {
        // 128 bits would be needed for more than 2^32 rows, which have no numbers.
        rows_[at] = static_cast<std::uint32_t>(std::uint64_t{at} * n_all / n_rows);
    }
    const Cells& cells = request_.values.cells;
    const auto n_features = static_cast<std::uint32_t>(request_.values.n_columns());
    order_.clear();
    order_.reserve(n_rows * n_orders(request_));
    visited_.clear();
    visited_.reserve(n_features);
    Vector<std::size_t> of_codes(cells.n_columns, unsorted, order_.get_allocator());
    for (n_sorted_ = 0; n_sorted_ < n_features; ++n_sorted_) {
        const std::uint32_t feature = n_sorted_;
        const ColumnRule by = rule(feature);
        if (is_level_rule(by) && of_codes[by.stored] != unsorted) {
            visited_.push_back(visited_of(feature, of_codes[by.stored]));
            visited_.back().begins_pass = false;
            continue;
        }
        if (is_stopped()) return;
        const std::size_t first = order_.size();
        const auto value_of = [&](std::uint32_t place) {
            return is_level_rule(by) ? *cells.at(rows_[place], by.stored)
                                     : value(place, feature);
        };
        if (!append_order(value_of, is_stopped)) return;
        if (is_level_rule(by)) of_codes[by.stored] = first;
        visited_.push_back(visited_of(feature, first));
    }
}

/// Sort the rows by a value, and append their order; false if stopped.
template <class ValueOf>
bool Sample::append_order(const ValueOf& value_of, const StopCheck& is_stopped) {
    keyed_.clear();
    for (std::uint32_t place = 0; place < size(); ++place) {
        keyed_.push_back({ordered_bits(value_of(place)), place});
    }
    if (!sort_by_key(keyed_, spare_, is_stopped)) return false;
    for (std::size_t at = 0; at < size(); ++at) {
        const bool is_new = at == 0 || keyed_[at].key != keyed_[at - 1].key;
        order_.push_back(keyed_[at].row | (is_new ? new_bit : 0));
    }
    return true;
}

/// What a feature visits of the order that begins at `first`.
Sample::Visited Sample::visited_of(std::uint32_t feature, std::size_t first) const {
    if (!is_level(feature)) return {first, 0, size()};
    const ColumnRule by = rule(feature);
    const std::uint32_t* order = order_.data() + first;
    const auto code_at = [&](std::uint32_t entry) {
        return *request_.values.cells.at(rows_[entry & ~new_bit], by.stored);
    };
    const std::uint32_t* begin =
        std::partition_point(order, order + size(),
                             [&](std::uint32_t at) { return code_at(at) < by.level; });
    const std::uint32_t* end =
        std::partition_point(begin, order + size(),
                             [&](std::uint32_t at) { return code_at(at) <= by.level; });
    return {first, static_cast<std::size_t>(begin - order),
            static_cast<std::size_t>(end - order)};
}

}  // namespace ostrya
