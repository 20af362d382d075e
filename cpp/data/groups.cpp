#include "data/groups.hpp"

#include <bit>
#include <numeric>

#include "data/packed_ranks.hpp"
#include "data/probe_count.hpp"
#include "data/row_hash.hpp"
#include "data/row_keys.hpp"

namespace ostrya {
namespace {

bool are_equal(const Vector<SplitColumn>& columns, std::size_t a, std::size_t b) {
    for (const SplitColumn& column : columns) {
        if (column.ranks[a] != column.ranks[b]) return false;
    }
    return true;
}

/// Merge by a table of hashes. `is_flooded` tells that they agree too often to go on.
std::optional<Groups> merge_by_hash(const Vector<SplitColumn>& columns,
                                    const Vector<std::uint64_t>& hashes,
                                    const StopCheck& is_stopped, bool& is_flooded) {
    MemoryBudget& memory = hashes.get_allocator().budget();
    const std::size_t n_rows = hashes.size();
    const std::size_t n_slots = std::bit_ceil(2 * n_rows + 2);
    constexpr std::uint32_t empty = ~std::uint32_t{0};
    Vector<std::uint32_t> table(n_slots, empty, memory);
    ProbeCount probes;
    Groups groups(memory);
    groups.of_row.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (is_stopped_at(row, is_stopped)) return {};
        is_flooded = probes.are_too_many(row);
        if (is_flooded) return {};
        std::size_t slot = hashes[row] & (n_slots - 1);
        for (; table[slot] != empty; slot = (slot + 1) & (n_slots - 1)) {
            probes.add();
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

}  // namespace

std::optional<Vector<std::uint64_t>> hash_rows(const Vector<SplitColumn>& columns,
                                               std::size_t n_rows,
                                               const StopCheck& is_stopped,
                                               std::uint64_t seed) {
    Vector<std::uint64_t> hashes(n_rows, 0, columns.get_allocator());
    const auto add = [&](const Vector<std::uint64_t>& packed) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            hashes[row] = mix_bits(hashes[row] + mix_bits(packed[row] ^ seed));
        }
    };
    if (!for_each_packed(columns, n_rows, is_stopped, add)) return {};
    return hashes;
}

Groups keep_rows_apart(std::size_t n_rows, MemoryBudget& memory) {
    Groups groups(memory);
    groups.of_row.resize(n_rows);
    std::iota(groups.of_row.begin(), groups.of_row.end(), 0);
    groups.representative = groups.of_row;
    return groups;
}

std::optional<Groups> merge_equal_rows(const Vector<SplitColumn>& columns,
                                       const Vector<std::uint64_t>& hashes,
                                       const StopCheck& is_stopped) {
    bool is_flooded = false;
    auto groups = merge_by_hash(columns, hashes, is_stopped, is_flooded);
    if (!is_flooded) return groups;
    // Nobody can make a table for hashes that depend on a digest of the table.
    Digest digest = start_row_keys();
    if (!add_ranks(digest, columns, hashes.size(), is_stopped)) return {};
    const auto others =
        hash_rows(columns, hashes.size(), is_stopped, digest.finish()[0]);
    if (!others) return {};
    return merge_by_hash(columns, *others, is_stopped, is_flooded);
}

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
