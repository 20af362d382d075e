/// A set of rows of the problem: one bit a row, how many, and its identity.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "data/row_hash.hpp"

namespace ostrya {

struct RowSet {
    std::vector<std::uint64_t> words;
    std::uint32_t n_rows = 0;
    RowHash hash;

    bool has(std::uint32_t row) const { return words[row / 64] >> row % 64 & 1; }
    std::size_t bytes() const { return words.capacity() * 8; }
};

/// Call `visit` with the number of every bit that is set in word `at`.
template <class Visit>
void for_each_bit(std::uint64_t word, std::size_t at, const Visit& visit) {
    for (; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(at * 64 + std::countr_zero(word)));
    }
}

/// How many rows are in one of the sets only.
inline std::uint32_t n_apart(const RowSet& one, const RowSet& other) {
    std::uint32_t n = 0;
    for (std::size_t at = 0; at < one.words.size(); ++at) {
        n += static_cast<std::uint32_t>(std::popcount(one.words[at] ^ other.words[at]));
    }
    return n;
}

}  // namespace ostrya
