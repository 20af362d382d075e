/// Ranks of a table that some or all of its rows are taken from, found once for all.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ostrya {

/// A view of what is known of the rows; null: nothing is.
struct KnownRanks {
    const std::uint32_t* ranks = nullptr;    // stored column by stored column, by value
    const std::uint32_t* numbers = nullptr;  // the same for equal rows alone
    std::size_t n_rows = 0;

    bool is_known() const { return ranks != nullptr; }
    const std::uint32_t* of_column(std::size_t column) const {
        return is_known() ? ranks + column * n_rows : nullptr;
    }
};

}  // namespace ostrya
