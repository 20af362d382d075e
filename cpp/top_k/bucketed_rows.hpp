/// All rows of a problem, in order and in buckets by every column.
///
/// A bucket is a run of ranks of one column: of a single one where the column has few,
/// else of as many as hold about as many rows as the other buckets. Buckets are
/// numbered through, column by column. A row's buckets stand side by side, as rows are
/// added to tables one at a time.
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

    /// The rows of a column, ascending by rank.
    const RankedRow* order_of(std::uint32_t column) const {
        return order.data() + std::size_t{column} * n_rows;
    }
    const std::uint8_t* buckets_of(std::uint32_t row) const {
        return codes.data() + std::size_t{row} * n_columns;
    }
    const Sum* sums_of(std::uint32_t row) const {
        return sums.data() + std::size_t{row} * slots;
    }
    /// What a table of sums by bucket takes.
    std::size_t table_size() const { return buckets.size() * slots; }

    const Problem& problem;
    std::uint32_t n_rows, n_columns, slots;
    Vector<Bucket> buckets;
    Vector<std::uint32_t> first;  // bucket of each column, and the end
    Vector<RankedRow> order;      // columns x rows
    Vector<std::uint8_t> codes;   // rows x columns: bucket less the column's first
    Vector<Sum> sums;             // rows x slots
    Vector<RowHash> keys;

private:
    void sort_rows(std::uint32_t column);
    void fill_buckets(std::uint32_t column);

    Vector<std::uint32_t> starts_;  // scratch: place of the first row of each rank
};

}  // namespace ostrya
