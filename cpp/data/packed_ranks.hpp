/// Ranks of several columns side by side in 64-bit words, so that yes/no columns cost a
/// shift each.
#pragma once

#include <bit>
#include <cstdint>

#include "data/columns.hpp"

namespace ostrya {

/// Call `visit` with one word per row for each run of columns that fit 64 bits. False,
/// and not all of them were seen, if stopped.
template <class Visit>
bool for_each_packed(const Vector<SplitColumn>& columns, std::size_t n_rows,
                     const StopCheck& is_stopped, const Visit& visit) {
    Vector<std::uint64_t> packed(n_rows, 0, columns.get_allocator());
    int n_bits = 0;
    for (const SplitColumn& column : columns) {
        if (is_stopped()) return false;
        const int width = static_cast<int>(std::bit_width(column.n_ranks() - 1));
        if (width == 0) continue;  // all alike, and no word is that long to shift by 64
        if (n_bits + width > 64) {
            visit(packed);
            packed.assign(n_rows, 0);
            n_bits = 0;
        }
        column.ranks.visit([&](const auto ranks) {
            for (std::size_t row = 0; row < n_rows; ++row) {
                packed[row] |= std::uint64_t{ranks[row]} << n_bits;
            }
        });
        n_bits += width;
    }
    visit(packed);
    return true;
}

}  // namespace ostrya
