/// Every cut of a table as two conditions, and which row groups fail each of them.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "memory/budget.hpp"
#include "prices/rank_table.hpp"

namespace ostrya {

/// A cut gives two conditions: condition 2 * cut holds for the rows up to it, condition
/// 2 * cut + 1 for those beyond it. Each condition has the groups that fail it, as
/// bits; each group a mask per cut that is all ones where it lies beyond it.
struct ConditionTable {
    ConditionTable(const RankTable& table, MemoryBudget& memory)
        : n_groups(table.n_groups),
          n_cuts(static_cast<std::uint32_t>(table.n_cuts())),
          stride(stride_of(n_cuts)),
          n_words(static_cast<std::uint32_t>(words_of(n_groups))),
          fails(memory),
          beyond(memory) {
        fails.assign(std::size_t{2} * n_cuts * n_words, 0);
        beyond.assign(std::size_t{table.n_groups} * stride, 0);
        std::uint32_t first = 0;
        for (std::uint32_t column = 0; column < table.n_columns; ++column) {
            for (std::uint32_t group = 0; group < table.n_groups; ++group) {
                add(group, first, table.column(column)[group], table.last[column]);
            }
            first += table.last[column];
        }
    }

    /// What a table of so many groups and cuts takes, and what of it are groups that
    /// fail a condition.
    static std::uint64_t bytes(std::uint64_t n_groups, std::uint64_t n_cuts) {
        return fail_bytes(n_groups, n_cuts) + n_groups * stride_of(n_cuts);
    }
    static std::uint64_t fail_bytes(std::uint64_t n_groups, std::uint64_t n_cuts) {
        return 2 * n_cuts * words_of(n_groups) * sizeof(std::uint64_t);
    }

    /// The groups that fail a condition.
    const std::uint64_t* failing(std::uint32_t condition) const {
        return fails.data() + std::size_t{condition} * n_words;
    }
    SignMasks masks() const { return {beyond.data(), stride}; }
    FailedRows rows() const { return {fails.data(), n_words}; }

    std::uint32_t n_groups, n_cuts;
    std::size_t stride;     // of the masks of a group
    std::uint32_t n_words;  // of a set of groups, in blocks of eight
    Vector<std::uint64_t> fails;
    Vector<std::int8_t> beyond;

private:
    static std::size_t stride_of(std::size_t n_cuts) {
        return (n_cuts + SignMasks::block - 1) / SignMasks::block * SignMasks::block;
    }
    static std::size_t words_of(std::size_t n_groups) {
        return (n_groups + 511) / 512 * 8;
    }

    void add(std::uint32_t group, std::uint32_t first, Rank rank, Rank last) {
        for (std::uint32_t step = 0; step < last; ++step) {
            const bool is_beyond = rank > step;
            const std::size_t cut = first + step;
            const std::size_t failed = 2 * cut + (is_beyond ? 0 : 1);
            fails[failed * n_words + group / 64] |= std::uint64_t{1} << group % 64;
            if (is_beyond) beyond[group * stride + cut] = -1;
        }
    }
};

}  // namespace ostrya
