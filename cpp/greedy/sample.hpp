/// Some of the rows, in the order of every feature: what a greedy tree is grown from.
#pragma once

#include <cstdint>

#include "data/sort_by_key.hpp"
#include "objective/request.hpp"

namespace ostrya {

class Sample {
public:
    Sample(const Request& request, MemoryBudget& memory);

    /// What a sample of this many rows takes at most.
    static std::uint64_t bytes(const Request& request, std::size_t n_rows);

    /// Take this many rows, evenly spread, and sort them by one feature after another;
    /// by fewer features if stopped.
    void take(std::size_t n_rows, const StopCheck& is_stopped);

    std::size_t size() const { return rows_.size(); }
    std::uint32_t n_sorted() const { return n_sorted_; }
    std::size_t row(std::uint32_t place) const { return rows_[place]; }
    double value(std::uint32_t place, std::uint32_t feature) const {
        return request_.values.value(rows_[place], feature);
    }

    /// Call `visit(place, is_new)` in the order of a feature; `is_new` where the value
    /// is another than before.
    template <class Visit>
    void for_each(std::uint32_t feature, const Visit& visit) const {
        const std::uint32_t* order = order_.data() + std::size_t{feature} * size();
        for (std::size_t at = 0; at < size(); ++at) {
            visit(order[at] & ~new_bit, (order[at] & new_bit) != 0);
        }
    }

private:
    static constexpr std::uint32_t new_bit = 1u << 31;

    const Request& request_;
    Vector<std::uint32_t> rows_;
    Vector<std::uint32_t> order_;  // features x places, with new_bit
    std::uint32_t n_sorted_ = 0;
    Vector<KeyedRow> keyed_, spare_;  // scratch
};

}  // namespace ostrya
