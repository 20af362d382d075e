/// Counts of trees: 64 or 128 bits while they suffice, then natural numbers of any
/// size.
///
/// An enumeration is compiled for each of the three. One that overflows throws
/// `CountOverflow`, and is repeated with the next larger kind.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ostrya::rashomon {

struct CountOverflow {};

/// A natural number of any size: words of 32 bits, least first, none of them idle.
class Natural {
public:
    Natural() = default;
    Natural(std::uint64_t value) {
        for (; value != 0; value >>= 32) {
            words_.push_back(static_cast<std::uint32_t>(value));
        }
    }

    bool is_zero() const { return words_.empty(); }
    const std::vector<std::uint32_t>& words() const { return words_; }
    static Natural of_words(std::vector<std::uint32_t> words) {
        Natural out;
        out.words_ = std::move(words);
        out.trim();
        return out;
    }

    Natural& operator+=(const Natural& other) {
        if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
        std::uint64_t carry = 0;
        for (std::size_t at = 0; at < words_.size(); ++at) {
            carry += words_[at];
            if (at < other.words_.size()) carry += other.words_[at];
            words_[at] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) words_.push_back(static_cast<std::uint32_t>(carry));
        return *this;
    }
    /// `other` must not be larger.
    Natural& operator-=(const Natural& other) {
        std::int64_t borrow = 0;
        for (std::size_t at = 0; at < words_.size(); ++at) {
            std::int64_t value = std::int64_t{words_[at]} + borrow;
            if (at < other.words_.size()) value -= other.words_[at];
            borrow = value < 0 ? -1 : 0;
            words_[at] = static_cast<std::uint32_t>(value);
        }
        trim();
        return *this;
    }
    friend Natural operator*(const Natural& a, const Natural& b) {
        Natural out;
        out.words_.assign(a.words_.size() + b.words_.size(), 0);
        for (std::size_t i = 0; i < a.words_.size(); ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; j < b.words_.size(); ++j) {
                carry += out.words_[i + j] + std::uint64_t{a.words_[i]} * b.words_[j];
                out.words_[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            out.words_[i + b.words_.size()] = static_cast<std::uint32_t>(carry);
        }
        out.trim();
        return out;
    }
    friend bool operator<(const Natural& a, const Natural& b) {
        if (a.words_.size() != b.words_.size()) {
            return a.words_.size() < b.words_.size();
        }
        return std::lexicographical_compare(a.words_.rbegin(), a.words_.rend(),
                                            b.words_.rbegin(), b.words_.rend());
    }

    /// Divide by `by`, one bit at a time; returns the rest.
    Natural divide(const Natural& by) {
        Natural rest, quotient;
        quotient.words_.assign(words_.size(), 0);
        for (std::size_t bit = 32 * words_.size(); bit-- > 0;) {
            rest.shift_in(words_[bit / 32] >> bit % 32 & 1);
            if (rest < by) continue;
            rest -= by;
            quotient.words_[bit / 32] |= std::uint32_t{1} << bit % 32;
        }
        quotient.trim();
        *this = std::move(quotient);
        return rest;
    }

private:
    void shift_in(std::uint32_t bit) {
        for (std::uint32_t& word : words_) {
            const std::uint32_t top = word >> 31;
            word = word << 1 | bit;
            bit = top;
        }
        if (bit != 0) words_.push_back(bit);
    }
    void trim() {
        while (!words_.empty() && words_.back() == 0) words_.pop_back();
    }

    std::vector<std::uint32_t> words_;
};

using Wide = unsigned __int128;

inline void add_count(std::uint64_t& sum, std::uint64_t more) {
    if (__builtin_add_overflow(sum, more, &sum)) throw CountOverflow();
}
inline void add_count(Wide& sum, Wide more) {
    sum += more;
    if (sum < more) throw CountOverflow();
}
inline void add_count(Natural& sum, const Natural& more) {
    sum += more;
}

inline std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw CountOverflow();
    return product;
}
inline Wide times(Wide a, Wide b) {
    if (a >> 64 == 0 && b >> 64 == 0) return a * b;
    if (b != 0 && a > ~Wide{0} / b) throw CountOverflow();
    return a * b;
}
inline Natural times(const Natural& a, const Natural& b) {
    return a * b;
}

inline bool is_zero(std::uint64_t count) {
    return count == 0;
}
inline bool is_zero(Wide count) {
    return count == 0;
}
inline bool is_zero(const Natural& count) {
    return count.is_zero();
}

template <class Count>
Count divide(Count& value, const Count& by) {
    if constexpr (std::is_same_v<Count, Natural>) {
        return value.divide(by);
    } else {
        const Count rest = value % by;
        value /= by;
        return rest;
    }
}

/// As words of 32 bits, least first.
template <class Count>
std::vector<std::uint32_t> words_of(const Count& count) {
    if constexpr (std::is_same_v<Count, Natural>) {
        return count.words();
    } else {
        std::vector<std::uint32_t> words;
        for (Count left = count; left != 0; left >>= 32) {
            words.push_back(static_cast<std::uint32_t>(left));
        }
        return words;
    }
}
template <class Count>
Count count_of(const std::vector<std::uint32_t>& words) {
    if constexpr (std::is_same_v<Count, Natural>) {
        return Natural::of_words(words);
    } else {
        Count out = 0;
        for (auto word = words.rbegin(); word != words.rend(); ++word) {
            out = out << 31 << 1 | Count{*word};
        }
        return out;
    }
}

inline double as_double(std::uint64_t count) {
    return static_cast<double>(count);
}
inline double as_double(Wide count) {
    return static_cast<double>(count);
}
/// Infinite where it does not fit.
inline double as_double(const Natural& count) {
    double out = 0;
    for (auto word = count.words().rbegin(); word != count.words().rend(); ++word) {
        out = out * 4294967296.0 + *word;
    }
    return out;
}

}  // namespace ostrya::rashomon
