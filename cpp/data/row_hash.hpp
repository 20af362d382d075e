/// A 128-bit identity for sets of rows.
///
/// Each row has a 128-bit key; a set's hash is the sum of its rows' keys, in each half
/// modulo 2^64. Children hash in time proportional to the smaller side, and the larger
/// side follows from the parent. Keys are drawn from a digest of the whole problem
/// (row_keys.hpp): any change of a table changes all of them, so that no table can be
/// made for which two row sets agree but by trying. Two different sets share a hash
/// with probability 2^-128 per pair, below 10^-20 for a search of 10^9 subproblems.
#pragma once

#include <cstdint>

namespace ostrya {

struct RowHash {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    RowHash& operator+=(const RowHash& other) {
        low += other.low;
        high += other.high;
        return *this;
    }
    RowHash& operator-=(const RowHash& other) {
        low -= other.low;
        high -= other.high;
        return *this;
    }
    friend RowHash operator-(RowHash a, const RowHash& b) { return a -= b; }
    bool operator==(const RowHash&) const = default;
};

/// Finaliser of splitmix64: a bijection that spreads every bit. For tables whose
/// entries are compared in full; it hides nothing.
inline std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace ostrya
