/// Weighted counts of a row mask in many bit columns at once.
///
/// Columns stand side by side, so one mask word meets eight of them per vector: no
/// horizontal sums, and the accumulators stay in registers. Included once per
/// instruction set, inside an anonymous namespace: see isa_kernels.hpp.

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
#else
template <class Sum>
void count(BitColumns columns, const MaskWord* mask, std::size_t n_words, Sum* out,
           std::size_t n) {
    for (std::size_t at = 0; at < n; at += 8) {
        count_block(BitColumns{columns.words + at, columns.stride}, mask, n_words,
                    out + at);
    }
}
#endif
