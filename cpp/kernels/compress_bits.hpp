/// Row selection in bit columns: the kept bits of each word, moved together.
///
/// Included inside an anonymous namespace: see isa_kernels.hpp.

#if defined(__BMI2__)
inline std::uint64_t extract(std::uint64_t bits, std::uint64_t keep) {
    return _pext_u64(bits, keep);
}
#else
inline std::uint64_t extract(std::uint64_t bits, std::uint64_t keep) {
    std::uint64_t out = 0;
    for (int at = 0; keep != 0; ++at, keep &= keep - 1) {
        out |= (bits >> __builtin_ctzll(keep) & 1) << at;
    }
    return out;
}
#endif

inline void compress(BitColumns in, std::size_t n_columns, const std::uint64_t* keep,
                     std::size_t n_words, std::uint64_t* out, std::size_t out_stride) {
    std::size_t at = 0;
    for (std::size_t word = 0; word < n_words; ++word) {
        if (keep[word] == 0) continue;
        const std::uint64_t* row = in.words + word * in.stride;
        const std::size_t shift = at % 64;
        const std::size_t kept =
            static_cast<std::size_t>(__builtin_popcountll(keep[word]));
        std::uint64_t* low = out + at / 64 * out_stride;
        std::uint64_t* high = low + out_stride;
        const bool spills = shift + kept > 64;
        for (std::size_t column = 0; column < n_columns; ++column) {
            const std::uint64_t bits = extract(row[column], keep[word]);
            low[column] |= bits << shift;
            if (spills) high[column] |= bits >> (64 - shift);
        }
        at += kept;
    }
}
