/// Some of the rows, in the order of every feature: what a greedy tree is grown from.
///
/// The levels of a categorical column share one order, that of its codes, in which the
/// rows of a level stand together.
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

    /// Orders of rows that the features need: one for each, but a single one for all
    /// levels of a categorical column.
    static std::size_t n_orders(const Request& request);

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
    /// is another than before. Of a level only its own rows are visited: all others
    /// have one larger value.
    template <class Visit>
    void for_each(std::uint32_t feature, const Visit& visit) const {
        const Visited& rows = visited_[feature];
        const std::uint32_t* order = order_.data() + rows.first;
        for (std::size_t at = rows.begin; at < rows.end; ++at) {
            visit(order[at] & ~new_bit, (order[at] & new_bit) != 0);
        }
    }
    bool is_level(std::uint32_t feature) const {
        return rule(feature).kind == ColumnRule::Kind::level;
    }
    /// Whether a pass over all rows begins with this feature: levels share one.
    bool begins_pass(std::uint32_t feature) const {
        return visited_[feature].begins_pass;
    }

private:
    /// Which part of which order a feature visits.
    struct Visited {
        std::size_t first = 0, begin = 0, end = 0;
        bool begins_pass = true;
    };

    ColumnRule rule(std::uint32_t feature) const {
        return request_.values.rule(feature);
    }
    template <class ValueOf>
    bool append_order(const ValueOf& value_of, const StopCheck& is_stopped);
    Visited visited_of(std::uint32_t feature, std::size_t first) const;

    static constexpr std::uint32_t new_bit = 1u << 31;

    const Request& request_;
    Vector<std::uint32_t> rows_;
    Vector<std::uint32_t> order_;  // orders x places, with new_bit
    Vector<Visited> visited_;      // of each feature
    std::uint32_t n_sorted_ = 0;
    Vector<KeyedRow> keyed_, spare_;  // scratch
};

}  // namespace ostrya
