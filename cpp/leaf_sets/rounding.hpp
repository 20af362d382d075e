/// The one place where a ratio becomes an integer, and the integers that hold products
/// of weights.
///
/// Weights of rows add up to less than 2^52. A product of two sums of weights, a number
/// of pairs of rows, therefore stays below 2^104: it fits a `Pairs`, and no Weight.
#pragma once

#include <bit>
#include <cassert>

#include "objective/cost.hpp"

namespace ostrya::leaf_sets {

/// Products of two weights, and sums of them.
using Pairs = __int128;

/// What the weights of all rows add up to at most; see `grid.py`.
inline constexpr Weight most_weight = (Weight{1} << 52) - 1;

/// A ratio rounded down, and whether that took anything away.
struct Quotient {
    Pairs down;
    bool is_exact;

    Pairs up() const { return down + (is_exact ? 0 : 1); }
};

/// Bits of a number >= 0.
inline int n_bits(Pairs value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

/// a * b / c for numbers >= 0, c > 0, if the ratio is below 2^126. The product may be
/// as large as 2^252; where it is below 2^127 this is a plain division.
inline Quotient divide_product(Pairs a, Pairs b, Pairs c) {
    assert(a >= 0 && b >= 0 && c > 0);
    if (n_bits(a) + n_bits(b) < 128) {
        const Pairs product = a * b;
        return {product / c, product % c == 0};
    }
    // The product in two halves, from the products of halves of a and b.
    using Half = unsigned __int128;
    constexpr Half low_bits = ~std::uint64_t{0};
    const Half a_low = static_cast<Half>(a) & low_bits,
               a_high = static_cast<Half>(a) >> 64;
    const Half b_low = static_cast<Half>(b) & low_bits,
               b_high = static_cast<Half>(b) >> 64;
    const Half lowest = a_low * b_low;
    const Half cross = a_high * b_low + (lowest >> 64);  // a_high and b_high < 2^63
    const Half middle = a_low * b_high + (cross & low_bits);
    const Half low = middle << 64 | (lowest & low_bits);
    Half rest = a_high * b_high + (cross >> 64) + (middle >> 64);
    const Half divisor = static_cast<Half>(c);
    assert(rest < divisor);  // or the ratio would take more than 128 bits
    // Long division, one bit at a time. The rest stays below the divisor < 2^127, so
    // that doubling it never overflows.
    Half quotient = 0;
    for (int bit = 127; bit >= 0; --bit) {
        rest = rest << 1 | (low >> bit & 1);
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    assert(quotient >> 126 == 0);
    return {static_cast<Pairs>(quotient), rest == 0};
}

/// The ratio rounded down, for numerators >= 0: what is a lower bound stays one. The
/// loss of a tree is rounded the same way, so that bounds and trees compare.
inline Weight rounded_down(Pairs numerator, Pairs denominator) {
    assert(numerator >= 0 && denominator > 0);
    const Pairs ratio = numerator / denominator;
    assert(ratio < unreachable);
    return static_cast<Weight>(ratio);
}

}  // namespace ostrya::leaf_sets
