/// A set of rows of the problem: one bit per row, how many, and its identity.
#pragma once

#include <bit>
#include <cstdint>

#include "data/row_bits.hpp"
#include "data/row_hash.hpp"
#include "memory/budget.hpp"

namespace ostrya {

struct RowSet {
    explicit RowSet(MemoryBudget& memory) : words(memory) {}

    Vector<std::uint64_t> words;
    std::uint32_t n = 0;
    RowHash hash;

    bool has(std::uint32_t row) const { return words[row / 64] >> row % 64 & 1; }
};

/// How many rows are in one of the sets only.
inline std::uint32_t n_apart(const RowSet& one, const RowSet& other) {
    std::uint32_t n = 0;
    for (std::size_t at = 0; at < one.words.size(); ++at) {
        n += static_cast<std::uint32_t>(std::popcount(one.words[at] ^ other.words[at]));
    }
    return n;
}

}  // namespace ostrya
