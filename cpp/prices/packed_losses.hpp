/// The losses of a set of boxes side by side, with the conditions that each fails.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "memory/budget.hpp"
#include "prices/bit_sets.hpp"

namespace ostrya {

/// Sets of losses are bits in the order of `groups`. As states get small they hold few
/// losses of many: packed anew, they are looked at in few words.
struct PackedLosses {
    explicit PackedLosses(MemoryBudget& memory) : groups(memory), fails(memory) {}

    /// Words of a set of so many groups: whole blocks of four.
    static std::uint32_t words_of(std::size_t n_groups) {
        return static_cast<std::uint32_t>((n_groups + 255) / 256 * 4);
    }

    /// Hold the rows that are kept of others, as far as some conditions out of
    /// `n_conditions` go; `group_of` names the group of a row.
    template <class GroupOf>
    void pack(const FailedRows& rows, const BitSet& kept, const GroupOf& group_of,
              const Vector<std::uint32_t>& conditions, std::size_t n_conditions) {
        groups.clear();
        for_each_bit(kept, [&](std::uint32_t row) { groups.push_back(group_of(row)); });
        n_words = words_of(groups.size());
        // Whatever is left of the past is not read: no condition comes back.
        if (fails.size() < n_conditions * n_words) fails.resize(n_conditions * n_words);
        condition_kernels().select_rows(rows, conditions.data(), conditions.size(),
                                        kept.data(), n_words, fails.data());
    }

    /// The same as another one, as far as it is read.
    void copy(const PackedLosses& other, std::size_t n_conditions) {
        groups = other.groups;
        n_words = other.n_words;
        fails.assign(other.fails.begin(), other.fails.begin() + n_conditions * n_words);
    }

    /// The losses that fail a condition.
    const std::uint64_t* failing(std::uint32_t condition) const {
        return fails.data() + std::size_t{condition} * n_words;
    }
    FailedRows rows() const { return {fails.data(), n_words}; }

    Vector<std::uint32_t> groups;
    Vector<std::uint64_t> fails;
    std::uint32_t n_words = 0;
};

}  // namespace ostrya
