/// All rows of a problem, in order and in buckets by every column.
///
/// A bucket is a run of ranks of one column: of a single one where the column has few,
/// else of as many as hold about as many rows as the other buckets. Buckets are
/// numbered through, column by column. A row's buckets stand side by side, as rows are
/// added to tables one at a time.
///
/// The levels of a categorical column share its codes: a row is in the first bucket of
/// its own level and in the second one of all others. Only the first is stored, once
/// per row and categorical column, and tables leave the second empty: where it begins,
/// the cut of the level has been listed. So thousands of levels take no more memory and
/// time than one.
#pragma once

#include <cstdint>

#include "data/row_hash.hpp"
#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "watch/stop.hpp"

namespace ostrya {

struct Bucket {
    std::uint32_t begin = 0, end = 0;  // its rows, as places in the order of its column
    std::uint32_t first_rank = 0, last_rank = 0;

    bool has_one_rank() const { return first_rank == last_rank; }
};

/// A row, and its rank in the column at hand.
struct RankedRow {
    std::uint32_t row, rank;
};

template <class Sum>
struct BucketedRows {
    /// Buckets of a column at most: their numbers fit a byte.
    static constexpr std::uint32_t most_buckets = 256;

    /// Incomplete, and not to be used, if the search is stopped on the way.
    BucketedRows(const Problem& of, StopSign& stop, MemoryBudget& memory);

    /// The rows of a column, ascending by rank; null for a column with one cut, whose
    /// buckets nobody looks into.
    const RankedRow* order_of(std::uint32_t column) const {
        const std::uint32_t at = place_of_order[column];
        return at == no_order ? nullptr : order.data() + std::size_t{at} * n_rows;
    }
    /// Call `use(bucket)` for every bucket that the row is in, but those of other
    /// levels of its categories.
    template <class Use>
    void for_each_bucket(std::uint32_t row, const Use& use) const {
        const std::uint8_t* code = codes.data() + std::size_t{row} * plain.size();
        for (const std::uint32_t first_bucket : plain) use(first_bucket + *code++);
        const std::uint32_t* level = levels.data() + std::size_t{row} * n_coded;
        for (std::uint32_t at = 0; at < n_coded; ++at) {
            if (level[at] != no_bucket) use(level[at]);
        }
    }
    /// Buckets that a row is added to, at most.
    std::size_t n_added() const { return plain.size() + n_coded; }
    const Sum* sums_of(std::uint32_t row) const {
        return sums.data() + std::size_t{row} * slots;
    }
    /// What a table of sums by bucket takes.
    std::size_t table_size() const { return buckets.size() * slots; }

    const Problem& problem;
    std::uint32_t n_rows, n_columns, slots;
    Vector<Bucket> buckets;
    Vector<std::uint32_t> first;           // bucket of each column, and the end
    Vector<std::uint32_t> place_of_order;  // of each column, or no_order
    Vector<RankedRow> order;               // columns that have one x rows
    Vector<std::uint32_t> plain;   // first bucket of each column that is no level
    Vector<std::uint8_t> codes;    // rows x plain: bucket less the column's first
    std::uint32_t n_coded = 0;     // categorical columns
    Vector<std::uint32_t> levels;  // rows x categorical columns, or no_bucket
    Vector<Sum> sums;              // rows x slots
    Vector<RowHash> keys;

private:
    static constexpr std::uint32_t no_order = ~std::uint32_t{0};
    static constexpr std::uint32_t no_bucket = ~std::uint32_t{0};

    void lay_out();
    void sort_rows(std::uint32_t column);
    void fill_buckets(std::uint32_t column, std::uint32_t place);
    void fill_levels(std::size_t begin, std::size_t end, std::uint32_t place);

    Vector<std::uint32_t> starts_;  // scratch: place of the first row of each rank
};

}  // namespace ostrya
