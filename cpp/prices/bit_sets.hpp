/// Sets of row groups, or of conditions, as bits of a vector.
#pragma once

#include <cstdint>

#include "data/row_bits.hpp"
#include "memory/budget.hpp"

namespace ostrya {

using BitSet = Vector<std::uint64_t>;

template <class Visit>
void for_each_bit(const BitSet& words, const Visit& visit) {
    for (std::size_t at = 0; at < words.size(); ++at) {
        for_each_bit(words[at], at, visit);
    }
}

inline void set(BitSet& words, std::uint32_t bit) {
    words[bit / 64] |= std::uint64_t{1} << bit % 64;
}

inline void reset(BitSet& words, std::uint32_t bit) {
    words[bit / 64] &= ~(std::uint64_t{1} << bit % 64);
}

/// The first `n` bits, and no others.
inline void set_first(BitSet& words, std::size_t n_words, std::uint32_t n) {
    words.assign(n_words, 0);
    for (std::uint32_t word = 0; word < n / 64; ++word) words[word] = ~std::uint64_t{0};
    if (n % 64 != 0) words[n / 64] = tail_mask(n);
}

}  // namespace ostrya
