#include "greedy/sample.hpp"

#include <algorithm>

namespace ostrya {

Sample::Sample(const Request& request, MemoryBudget& memory)
    : request_(request),
      rows_(memory),
      order_(memory),
      keyed_(memory),
      spare_(memory) {}

std::uint64_t Sample::bytes(const Request& request, std::size_t n_rows) {
    return n_rows * (4 * request.values.n_columns() + 2 * sizeof(KeyedRow) + 16);
}

void Sample::take(std::size_t n_rows, const StopCheck& is_stopped) {
    const std::size_t n_all = request_.values.n_rows();
    n_rows = std::min({n_rows, n_all, std::size_t{new_bit} - 1});
    rows_.resize(n_rows);
    for (std::size_t at = 0; at < n_rows; ++at) {
        // 128 bits would be needed for more than 2^32 rows, which have no numbers.
        rows_[at] = static_cast<std::uint32_t>(std::uint64_t{at} * n_all / n_rows);
    }
    const auto n_features = static_cast<std::uint32_t>(request_.values.n_columns());
    order_.resize(n_rows * n_features);
    for (n_sorted_ = 0; n_sorted_ < n_features; ++n_sorted_) {
        if (is_stopped()) return;
        keyed_.clear();
        for (std::uint32_t place = 0; place < n_rows; ++place) {
            keyed_.push_back({ordered_bits(value(place, n_sorted_)), place});
        }
        if (!sort_by_key(keyed_, spare_, is_stopped)) return;
        std::uint32_t* order = order_.data() + std::size_t{n_sorted_} * n_rows;
        for (std::size_t at = 0; at < n_rows; ++at) {
            const bool is_new = at == 0 || keyed_[at].key != keyed_[at - 1].key;
            order[at] = keyed_[at].row | (is_new ? new_bit : 0);
        }
    }
}

}  // namespace ostrya
