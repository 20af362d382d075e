// Sets of rows against sets of conditions; see prices/condition_search.hpp. Included by
// isa_kernels.hpp.

void sum_beyond(const std::int32_t* beyond, std::size_t n_cuts, std::int32_t worth,
                std::int32_t* out) {
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t cut = 0; cut < n_cuts; ++cut) out[cut] += worth & beyond[cut];
}

void sort_conditions(const std::int32_t* beyond, std::size_t n_cuts,
                     std::int32_t gained, std::int32_t limit, std::uint64_t* is_free,
                     std::uint64_t* is_cheap) {
    for (std::size_t first = 0; first < n_cuts; first += 32) {
        const std::size_t n = n_cuts - first < 32 ? n_cuts - first : 32;
        std::uint64_t none = 0, few = 0;
        for (std::size_t at = 0; at < n; ++at) {
            const std::int32_t upper = beyond[first + at], lower = gained - upper;
            none |= (std::uint64_t{upper == 0} | std::uint64_t{lower == 0} << 1)
                    << 2 * at;
            few |= (std::uint64_t{upper < limit} | std::uint64_t{lower < limit} << 1)
                   << 2 * at;
        }
        *is_free++ = none;
        *is_cheap++ = few;
    }
}

/// Words of a set of rows that are kept in registers while all conditions pass by.
constexpr std::size_t row_block = 8;

void count_failures(const FailedRows& rows, const std::uint32_t* conditions,
                    std::size_t n_conditions, std::uint64_t* counts) {
    for (std::size_t first = 0; first < rows.n_words; first += row_block) {
        std::uint64_t one[row_block] = {}, two[row_block] = {}, three[row_block] = {},
                      four[row_block] = {};
        for (std::size_t at = 0; at < n_conditions; ++at) {
            const std::uint64_t* const failed =
                rows.words + std::size_t{conditions[at]} * rows.n_words + first;
            for (std::size_t lane = 0; lane < row_block; ++lane) {
                const std::uint64_t now = failed[lane];
                four[lane] |= three[lane] & now;
                three[lane] |= two[lane] & now;
                two[lane] |= one[lane] & now;
                one[lane] |= now;
            }
        }
        for (std::size_t lane = 0; lane < row_block; ++lane) {
            std::uint64_t* const out = counts + first + lane;
            out[0] = one[lane];
            out[rows.n_words] = two[lane];
            out[2 * rows.n_words] = three[lane];
            out[3 * rows.n_words] = four[lane];
        }
    }
}

void score_conditions(const FailedRows& rows, const std::uint32_t* conditions,
                      std::size_t n_conditions, const std::uint64_t* few,
                      std::uint64_t* out) {
    for (std::size_t at = 0; at < n_conditions; ++at) {
        const std::uint64_t* const failed =
            rows.words + std::size_t{conditions[at]} * rows.n_words;
        std::uint64_t score = 0;
        for (std::size_t word = 0; word < rows.n_words; ++word) {
            score += static_cast<std::uint64_t>(
                __builtin_popcountll(failed[word] & few[word]));
        }
        out[at] = score;
    }
}
