/// Sets of rows as bits, 64 to a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ostrya {

/// Words that hold one bit per row.
inline std::uint32_t words_for(std::size_t n_rows) {
    return static_cast<std::uint32_t>((n_rows + 63) / 64);
}

/// The bits of the last word that stand for rows.
inline std::uint64_t tail_mask(std::uint32_t n_rows) {
    return n_rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_rows % 64) - 1;
}

/// Call `visit` with the number of every bit that is set in word `at`.
template <class Visit>
void for_each_bit(std::uint64_t word, std::size_t at, const Visit& visit) {
    for (; word != 0; word &= word - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(word));
        visit(static_cast<std::uint32_t>(at * 64 + bit));
    }
}

inline std::uint32_t count_rows(const std::uint64_t* words, std::size_t n_words) {
    std::uint32_t n = 0;
    for (std::size_t at = 0; at < n_words; ++at) {
        n += static_cast<std::uint32_t>(std::popcount(words[at]));
    }
    return n;
}

/// The rows of a set, or those that are not in it, whichever are fewer: what is summed
/// over one side of a split is known of the other by subtraction.
class SmallerSide {
public:
    /// A set of some of `n_rows` rows.
    SmallerSide(const std::uint64_t* words, std::uint32_t n_rows)
        : words_(words),
          n_rows_(n_rows),
          n_set_(count_rows(words, words_for(n_rows))) {}

    /// Rows in the set.
    std::uint32_t n_set() const { return n_set_; }
    /// Whether the smaller side is the set itself.
    bool is_set() const { return 2 * n_set_ <= n_rows_; }

    template <class Visit>
    void for_each(const Visit& visit) const {
        const std::uint32_t n_words = words_for(n_rows_);
        const std::uint64_t flip = is_set() ? 0 : ~std::uint64_t{0};
        for (std::uint32_t at = 0; at < n_words; ++at) {
            std::uint64_t word = words_[at] ^ flip;
            if (at + 1 == n_words) word &= tail_mask(n_rows_);
            for_each_bit(word, at, visit);
        }
    }

private:
    const std::uint64_t* words_;
    std::uint32_t n_rows_, n_set_;
};

}  // namespace ostrya
