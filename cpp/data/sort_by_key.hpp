/// Sorting of many rows by numbers of 64 bits.
#pragma once

#include <bit>
#include <cstdint>

#include "data/stop_check.hpp"
#include "memory/budget.hpp"

namespace ostrya {

struct KeyedRow {
    std::uint64_t key;
    std::uint32_t row;
};

/// A number whose order, without sign, is that of the double; zeros are one.
inline std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// The double of these ordered bits.
inline double value_of(std::uint64_t key) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>((key & sign) != 0 ? key ^ sign : ~key);
}

/// Sort rows, which come in the order of their numbers, by key and then by number; many
/// of them in passes over digits. `spare` is scratch. False, and in any order, if
/// stopped.
bool sort_by_key(Vector<KeyedRow>& rows, Vector<KeyedRow>& spare,
                 const StopCheck& is_stopped);

}  // namespace ostrya
