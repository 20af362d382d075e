#include "data/groups.hpp"

#include <bit>
#include <numeric>

#include "data/packed_ranks.hpp"
#include "data/row_hash.hpp"

namespace ostrya {
namespace {

std::vector<std::uint64_t> hash_rows(const std::vector<SplitColumn>& columns,
                                     std::size_t n_rows) {
    std::vector<std::uint64_t> hashes(n_rows);
    for_each_packed(columns, n_rows, [&](const std::vector<std::uint64_t>& packed) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            hashes[row] = mix_bits(hashes[row] + mix_bits(packed[row]));
        }
    });
    return hashes;
}

bool are_equal(const std::vector<SplitColumn>& columns, std::size_t a, std::size_t b) {
    for (const SplitColumn& column : columns) {
        if (column.ranks[a] != column.ranks[b]) return false;
    }
    return true;
}

}  // namespace

Groups keep_rows_apart(std::size_t n_rows) {
    Groups groups;
    groups.of_row.resize(n_rows);
    std::iota(groups.of_row.begin(), groups.of_row.end(), 0);
    groups.representative = groups.of_row;
    return groups;
}

Groups merge_equal_rows(const std::vector<SplitColumn>& columns, std::size_t n_rows) {
    const std::vector<std::uint64_t> hashes = hash_rows(columns, n_rows);
    const std::size_t n_slots = std::bit_ceil(2 * n_rows + 2);
    constexpr std::uint32_t empty = ~std::uint32_t{0};
    std::vector<std::uint32_t> table(n_slots, empty);

    Groups groups;
    groups.of_row.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::size_t slot = hashes[row] & (n_slots - 1);
        for (; table[slot] != empty; slot = (slot + 1) & (n_slots - 1)) {
            const std::uint32_t other = groups.representative[table[slot]];
            if (hashes[other] == hashes[row] && are_equal(columns, other, row)) break;
        }
        if (table[slot] == empty) {
            table[slot] = static_cast<std::uint32_t>(groups.size());
            groups.representative.push_back(static_cast<std::uint32_t>(row));
        }
        groups.of_row[row] = table[slot];
    }
    return groups;
}

FeatureOrder::FeatureOrder(const std::vector<SplitColumn>& columns,
                           const Groups& groups, std::size_t n_rows)
    : columns_(columns), groups_(groups), hashes_(hash_rows(columns, n_rows)) {}

bool FeatureOrder::operator()(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t x = groups_.representative[a], y = groups_.representative[b];
    if (hashes_[x] != hashes_[y]) return hashes_[x] < hashes_[y];
    for (const SplitColumn& column : columns_) {
        if (column.ranks[x] != column.ranks[y])
            return column.ranks[x] < column.ranks[y];
    }
    return false;
}

}  // namespace ostrya
