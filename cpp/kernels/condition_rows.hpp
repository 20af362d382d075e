// Sets of rows against sets of conditions; see prices/condition_search.hpp. Included by
// isa_kernels.hpp.

void sum_beyond(const SignMasks& masks, const std::uint32_t* rows, std::size_t n_rows,
                const std::int32_t* worth, std::int32_t flip, std::int32_t* out) {
    for (std::size_t at = 0; at < n_rows; ++at) {
        const std::int8_t* const mask =
            masks.bytes + std::size_t{rows[at]} * masks.stride;
        const std::int32_t one = (worth[rows[at]] ^ flip) - flip;
        const std::size_t n = masks.stride;
        OSTRYA_INDEPENDENT_ITERATIONS
        for (std::size_t cut = 0; cut < n; ++cut) {
            out[cut] += one & static_cast<std::int32_t>(mask[cut]);
        }
    }
}

std::size_t part_rows(const std::uint64_t* rows, const std::uint64_t* failed,
                      std::size_t n_words, std::uint64_t* kept, std::size_t* n_kept) {
    std::size_t n_failed = 0, n = 0;
    for (std::size_t word = 0; word < n_words; ++word) {
        const std::uint64_t out = rows[word] & failed[word];
        kept[word] = rows[word] ^ out;
        n_failed += static_cast<std::size_t>(__builtin_popcountll(out));
        n += static_cast<std::size_t>(__builtin_popcountll(kept[word]));
    }
    *n_kept = n;
    return n_failed;
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

/// Look at `n_lanes` words of a set of rows, kept in registers while all conditions
/// pass by.
template <std::size_t n_lanes>
void count_in_lanes(const FailedRows& rows, const std::uint32_t* conditions,
                    std::size_t n_conditions, std::size_t first,
                    std::uint64_t* counts) {
    std::uint64_t one[n_lanes] = {}, two[n_lanes] = {}, three[n_lanes] = {},
                  four[n_lanes] = {};
    for (std::size_t at = 0; at < n_conditions; ++at) {
        const std::uint64_t* const failed =
            rows.words + std::size_t{conditions[at]} * rows.n_words + first;
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            const std::uint64_t now = failed[lane];
            four[lane] |= three[lane] & now;
            three[lane] |= two[lane] & now;
            two[lane] |= one[lane] & now;
            one[lane] |= now;
        }
    }
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        std::uint64_t* const out = counts + first + lane;
        out[0] = one[lane];
        out[rows.n_words] = two[lane];
        out[2 * rows.n_words] = three[lane];
        out[3 * rows.n_words] = four[lane];
    }
}

void count_failures(const FailedRows& rows, const std::uint32_t* conditions,
                    std::size_t n_conditions, std::uint64_t* counts) {
    std::size_t first = 0;
    for (; first + 8 <= rows.n_words; first += 8) {
        count_in_lanes<8>(rows, conditions, n_conditions, first, counts);
    }
    if (first < rows.n_words) {
        count_in_lanes<4>(rows, conditions, n_conditions, first, counts);
    }
}

void select_rows(const FailedRows& rows, const std::uint32_t* conditions,
                 std::size_t n_conditions, const std::uint64_t* kept,
                 std::size_t n_words, std::uint64_t* out) {
    for (std::size_t at = 0; at < n_conditions; ++at) {
        const std::uint64_t* const from =
            rows.words + std::size_t{conditions[at]} * rows.n_words;
        std::uint64_t* const to = out + std::size_t{conditions[at]} * n_words;
        std::uint64_t gathered = 0;
        std::size_t n_gathered = 0, n_out = 0;
        for (std::size_t word = 0; word < rows.n_words; ++word) {
            if (kept[word] == 0) continue;
            const auto n = static_cast<std::size_t>(__builtin_popcountll(kept[word]));
            const std::uint64_t bits = extract(from[word], kept[word]);
            gathered |= bits << n_gathered;
            n_gathered += n;
            if (n_gathered < 64) continue;
            to[n_out++] = gathered;
            n_gathered -= 64;
            gathered = n_gathered == 0 ? 0 : bits >> (n - n_gathered);
        }
        if (n_gathered > 0) to[n_out++] = gathered;
        for (; n_out < n_words; ++n_out) to[n_out] = 0;
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
