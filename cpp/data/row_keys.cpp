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

bool add_ranks(Digest& digest, const Vector<SplitColumn>& columns, std::size_t n_rows,
               const StopCheck& is_stopped) {
    digest.add_number(n_rows);
    for (const SplitColumn& column : columns) digest.add_number(column.n_ranks());
    return for_each_packed(columns, n_rows, is_stopped,
                           [&](const auto& packed) { digest.add_all(packed); });
}

Vector<RowHash> row_keys(Digest digest, std::size_t n_rows, MemoryBudget& memory,
                         const StopCheck& is_stopped) {
    const Digest::Words seed = digest.finish();
    Vector<RowHash> keys(memory);
    keys.reserve(n_rows);
    for (std::size_t row = 0; row < n_rows; row += 4) {
        if (is_stopped_at(row, is_stopped)) break;
        // Seed and number fit one block: a single compression for four keys.
        Digest draw;
        draw.add_all(seed);
        draw.add_number(row);
        const Digest::Words words = draw.finish();
        for (std::size_t at = 0; at < 4 && row + at < n_rows; ++at) {
            keys.push_back({words[2 * at], words[2 * at + 1]});
        }
    }
    return keys;
}

}  // namespace ostrya
