/// Weighted counts of a row mask in many bit columns at once.
///
/// Columns stand side by side, so one mask word meets several of them per vector: no
/// horizontal sums, and the accumulators stay in registers. Included once per
/// instruction set, inside an anonymous namespace: see isa_kernels.hpp.

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
inline void store_lanes(std::int32_t* out, __m512i sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi64_epi32(sums));
}
inline void store_lanes(std::int64_t* out, __m512i sums) {
    _mm512_storeu_si512(out, sums);
}

template <int n_vectors, class Sum>
void count_vectors(BitColumns columns, const MaskWord* mask, std::size_t n_words,
                   Sum* out) {
    __m512i sums[n_vectors];
    for (int v = 0; v < n_vectors; ++v) sums[v] = _mm512_setzero_si512();
    for (std::size_t index = 0; index < n_words; ++index) {
        const __m512i bits =
            _mm512_set1_epi64(static_cast<long long>(mask[index].bits));
        const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(mask[index].shift));
        const std::uint64_t* row = columns.words + mask[index].word * columns.stride;
        for (int v = 0; v < n_vectors; ++v) {
            const __m512i hits =
                _mm512_and_si512(_mm512_loadu_si512(row + 8 * v), bits);
            const __m512i counts = _mm512_sll_epi64(_mm512_popcnt_epi64(hits), shift);
            sums[v] = _mm512_add_epi64(sums[v], counts);
        }
    }
    for (int v = 0; v < n_vectors; ++v) store_lanes(out + 8 * v, sums[v]);
}

template <class Sum>
void count(BitColumns columns, const MaskWord* mask, std::size_t n_words, Sum* out,
           std::size_t n) {
    std::size_t at = 0;
    const auto from = [&] { return BitColumns{columns.words + at, columns.stride}; };
    for (; at + 64 <= n; at += 64) count_vectors<8>(from(), mask, n_words, out + at);
    for (; at + 32 <= n; at += 32) count_vectors<4>(from(), mask, n_words, out + at);
    for (; at + 16 <= n; at += 16) count_vectors<2>(from(), mask, n_words, out + at);
    for (; at < n; at += 8) count_vectors<1>(from(), mask, n_words, out + at);
}
#elif defined(__AVX2__)
inline void store_lanes(std::int32_t* out, __m256i sums) {
    const __m256i evens = _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(sums, evens)));
}
inline void store_lanes(std::int64_t* out, __m256i sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), sums);
}

/// How many bits each byte has: looked up by half bytes.
inline __m256i count_in_bytes(__m256i hits) {
    const __m128i of_half =
        _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i table = _mm256_broadcastsi128_si256(of_half);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(hits, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(hits, low)),
                           _mm256_shuffle_epi8(table, high));
}

/// Bytes count up to 31 words of eight bits before they run over; words of another
/// weight begin anew.
template <int n_vectors, class Sum>
void count_vectors(BitColumns columns, const MaskWord* mask, std::size_t n_words,
                   Sum* out) {
    constexpr std::size_t most_words = 31;
    const __m256i zero = _mm256_setzero_si256();
    __m256i sums[n_vectors];
    for (int v = 0; v < n_vectors; ++v) sums[v] = zero;
    for (std::size_t index = 0; index < n_words;) {
        const std::uint32_t shift = mask[index].shift;
        const std::size_t end = index + least(n_words - index, most_words);
        __m256i bytes[n_vectors];
        for (int v = 0; v < n_vectors; ++v) bytes[v] = zero;
        do {
            const __m256i bits =
                _mm256_set1_epi64x(static_cast<long long>(mask[index].bits));
            const std::uint64_t* row =
                columns.words + mask[index].word * columns.stride;
            for (int v = 0; v < n_vectors; ++v) {
                const __m256i words =
                    _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 4 * v));
                bytes[v] = _mm256_add_epi8(
                    bytes[v], count_in_bytes(_mm256_and_si256(words, bits)));
            }
        } while (++index < end && mask[index].shift == shift);
        const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
        for (int v = 0; v < n_vectors; ++v) {
            const __m256i counts = _mm256_sad_epu8(bytes[v], zero);
            sums[v] = _mm256_add_epi64(sums[v], _mm256_sll_epi64(counts, by));
        }
    }
    for (int v = 0; v < n_vectors; ++v) store_lanes(out + 4 * v, sums[v]);
}

template <class Sum>
void count(BitColumns columns, const MaskWord* mask, std::size_t n_words, Sum* out,
           std::size_t n) {
    std::size_t at = 0;
    const auto from = [&] { return BitColumns{columns.words + at, columns.stride}; };
    for (; at + 16 <= n; at += 16) count_vectors<4>(from(), mask, n_words, out + at);
    for (; at < n; at += 8) count_vectors<2>(from(), mask, n_words, out + at);
}
#else
template <class Sum>
void count_block(BitColumns columns, const MaskWord* mask, std::size_t n_words,
                 Sum* out) {
    std::uint64_t sums[8] = {};
    for (std::size_t index = 0; index < n_words; ++index) {
        const MaskWord& word = mask[index];
        const std::uint64_t* row = columns.words + word.word * columns.stride;
        for (int lane = 0; lane < 8; ++lane) {
            const std::uint64_t hits = row[lane] & word.bits;
            sums[lane] += static_cast<std::uint64_t>(__builtin_popcountll(hits))
                          << word.shift;
        }
    }
    for (int lane = 0; lane < 8; ++lane) out[lane] = static_cast<Sum>(sums[lane]);
}

template <class Sum>
void count(BitColumns columns, const MaskWord* mask, std::size_t n_words, Sum* out,
           std::size_t n) {
    for (std::size_t at = 0; at < n; at += 8) {
        count_block(BitColumns{columns.words + at, columns.stride}, mask, n_words,
                    out + at);
    }
}
#endif
