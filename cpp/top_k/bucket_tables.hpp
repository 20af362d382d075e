/// Sums by bucket for sets of rows, each made from whatever is nearest.
///
/// The best splits of a node are often cuts side by side, so the sets that a level of
/// the search looks at differ in few rows. A level keeps the tables it made last; the
/// next is made from the one that differs least, by adding and removing rows, or from
/// the parent's: less the rows that are not in the set, or less the sibling's table.
#pragma once

#include <array>
#include <cstdint>

#include "top_k/bucketed_rows.hpp"
#include "top_k/row_set.hpp"
#include "watch/stop.hpp"

namespace ostrya {

template <class Sum>
struct BucketTable {
    explicit BucketTable(MemoryBudget& memory) : rows(memory), sums(memory) {}

    RowSet rows;
    Vector<Sum> sums;  // buckets x slots
    std::uint64_t used = 0;
};

template <class Sum>
class BucketTables {
public:
    explicit BucketTables(MemoryBudget& memory)
        : tables_{BucketTable<Sum>(memory), BucketTable<Sum>(memory),
                  BucketTable<Sum>(memory), BucketTable<Sum>(memory)} {}

    /// The table of `wanted`, a subset of the parent's rows if there is one; it stands
    /// until the next call. None if the search is stopped on the way.
    const BucketTable<Sum>* make(const BucketedRows<Sum>& rows, const RowSet& wanted,
                                 const BucketTable<Sum>* parent, StopSign& stop);

    static std::size_t most_bytes(const BucketedRows<Sum>& rows) {
        return kept * (rows.table_size() * sizeof(Sum) + rows.n_rows / 8);
    }

private:
    static constexpr std::size_t kept = 4;

    BucketTable<Sum>& oldest();
    /// The table that differs least from `wanted`, and in how many rows it does.
    BucketTable<Sum>& nearest(const RowSet& wanted, std::size_t& apart);
    BucketTable<Sum>* with(const RowHash& hash);
    BucketTable<Sum>& subtract(const BucketTable<Sum>& parent,
                               const BucketTable<Sum>& sibling, const RowSet& wanted);
    /// Add the rows that are in `wanted` alone, and remove those in the table alone;
    /// false, and the table is void, if the search is stopped on the way.
    static bool change(const BucketedRows<Sum>& rows, const RowSet& wanted,
                       BucketTable<Sum>& table, StopSign& stop);
    static void add(const BucketedRows<Sum>& rows, std::uint32_t row, Sum sign,
                    Sum* sums);

    std::array<BucketTable<Sum>, kept> tables_;
    std::uint64_t clock_ = 0;
};

}  // namespace ostrya
