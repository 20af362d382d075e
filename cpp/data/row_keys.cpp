#include "data/row_keys.hpp"

#include "data/packed_ranks.hpp"

namespace ostrya {
namespace {

/// "ostrya: identity of row sets" and a version, for other uses of the same data.
constexpr Digest::Words purpose{0x6f73747279613a20u, 0x6964656e74697479u,
                                0x206f6620726f7720u, 0x7365747300000001u};

}  // namespace

Digest start_row_keys() {
    return Digest(purpose);
}

void add_ranks(Digest& digest, const std::vector<SplitColumn>& columns,
               std::size_t n_rows) {
    digest.add_number(n_rows);
    for (const SplitColumn& column : columns) digest.add_number(column.n_ranks());
    for_each_packed(columns, n_rows, [&](const std::vector<std::uint64_t>& packed) {
        digest.add_all(packed);
    });
}

std::vector<RowHash> row_keys(Digest digest, std::size_t n_rows) {
    const Digest::Words seed = digest.finish();
    std::vector<RowHash> keys(n_rows);
    for (std::size_t row = 0; row < n_rows; row += 4) {
        // Seed and number fit one block: a single compression for four keys.
        Digest draw;
        draw.add_all(seed);
        draw.add_number(row);
        const Digest::Words words = draw.finish();
        for (std::size_t at = 0; at < 4 && row + at < n_rows; ++at) {
            keys[row + at] = {words[2 * at], words[2 * at + 1]};
        }
    }
    return keys;
}

}  // namespace ostrya
