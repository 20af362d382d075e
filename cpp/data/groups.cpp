#include "data/groups.hpp"

#include <bit>

namespace ostrya {
namespace {

std::vector<RowHash> row_signatures(const std::vector<SplitColumn>& columns,
                                    std::size_t n_rows) {
    std::vector<RowHash> out(n_rows);
    for (std::size_t index = 0; index < columns.size(); ++index) {
        const std::uint64_t salt = mix_bits(index + 1);
        for (std::size_t row = 0; row < n_rows; ++row) {
            const std::uint64_t part = mix_bits(salt ^ columns[index].ranks[row]);
            out[row].low += part;
            out[row].high ^= mix_bits(part);
        }
    }
    return out;
}

}  // namespace

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
