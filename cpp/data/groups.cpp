#include "data/groups.hpp"

#include <bit>
#include <numeric>

namespace ostrya {
namespace {

/// Hash every row's ranks. Ranks are first packed side by side into 64-bit words, so
/// that yes/no columns cost a shift each, and only full words are mixed.
std::vector<RowHash> row_signatures(const std::vector<SplitColumn>& columns,
                                    std::size_t n_rows) {
    std::vector<RowHash> out(n_rows);
    std::vector<std::uint64_t> packed(n_rows, 0);
    int n_bits = 0;
    std::uint64_t salt = 1;
    const auto flush = [&] {
        for (std::size_t row = 0; row < n_rows; ++row) {
            const std::uint64_t part = mix_bits(packed[row] ^ mix_bits(salt));
            out[row].low = mix_bits(out[row].low + part);
            out[row].high += mix_bits(part ^ salt);
            packed[row] = 0;
        }
        ++salt;
        n_bits = 0;
    };
    for (const SplitColumn& column : columns) {
        const int width = std::bit_width(column.n_ranks() - 1);
        if (n_bits + width > 64) flush();
        for (std::size_t row = 0; row < n_rows; ++row) {
            packed[row] |= std::uint64_t{column.ranks[row]} << n_bits;
        }
        n_bits += width;
    }
    flush();
    return out;
}

}  // namespace

Groups keep_rows_apart(const std::vector<SplitColumn>& columns, std::size_t n_rows) {
    Groups groups;
    groups.of_row.resize(n_rows);
    std::iota(groups.of_row.begin(), groups.of_row.end(), 0);
    groups.representative = groups.of_row;
    groups.signature = row_signatures(columns, n_rows);
    return groups;
}

Groups merge_equal_rows(const std::vector<SplitColumn>& columns, std::size_t n_rows) {
    const std::vector<RowHash> signatures = row_signatures(columns, n_rows);
    const std::size_t n_slots = std::bit_ceil(2 * n_rows + 2);
    constexpr std::uint32_t empty = ~std::uint32_t{0};
    std::vector<std::uint32_t> table(n_slots, empty);

    Groups groups;
    groups.of_row.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const RowHash& signature = signatures[row];
        std::size_t slot = mix_bits(signature.low) & (n_slots - 1);
        while (table[slot] != empty && !(groups.signature[table[slot]] == signature)) {
            slot = (slot + 1) & (n_slots - 1);
        }
        if (table[slot] == empty) {
            table[slot] = static_cast<std::uint32_t>(groups.size());
            groups.representative.push_back(static_cast<std::uint32_t>(row));
            groups.signature.push_back(signature);
        }
        groups.of_row[row] = table[slot];
    }
    return groups;
}

}  // namespace ostrya
