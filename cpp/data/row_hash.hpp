/// A 128-bit identity for sets of rows.
///
/// Each row has a pseudo-random 128-bit key; a set's hash is the exclusive or of its
/// rows' keys. Children hash in time proportional to the smaller side, and the larger
/// side follows from the parent. Two different sets share a hash with probability
/// 2^-128 per pair, below 10^-20 for a search of 10^9 subproblems.
#pragma once

#include <cstdint>
#include <vector>

namespace ostrya {

struct RowHash {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    RowHash& operator^=(const RowHash& other) {
        low ^= other.low;
        high ^= other.high;
        return *this;
    }
    friend RowHash operator^(RowHash a, const RowHash& b) { return a ^= b; }
    bool operator==(const RowHash&) const = default;
};

/// Finaliser of splitmix64: a bijection that spreads every bit.
inline std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// One key per row, fixed for all time so that results are reproducible.
inline std::vector<RowHash> row_keys(std::size_t n_rows) {
    std::vector<RowHash> keys(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        keys[row] = {mix_bits(2 * row + 1), mix_bits(mix_bits(2 * row + 2))};
    }
    return keys;
}

}  // namespace ostrya
