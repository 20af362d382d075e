/// Sets of rows as bits, 64 to a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ostrya {

/// Call `visit` with the number of every bit that is set in word `at`.
template <class Visit>
void for_each_bit(std::uint64_t word, std::size_t at, const Visit& visit) {
    for (; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(at * 64 + std::countr_zero(word)));
    }
}

}  // namespace ostrya
