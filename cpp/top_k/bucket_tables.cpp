#include "top_k/bucket_tables.hpp"

#include <algorithm>
#include <limits>

namespace ostrya {
namespace {

/// Words of 64 rows between two looks at the clock.
constexpr std::size_t words_between_looks = 32;

}  // namespace

template <class Sum>
BucketTable<Sum>& BucketTables<Sum>::oldest() {
    return *std::min_element(
        tables_.begin(), tables_.end(),
        [](const auto& one, const auto& other) { return one.used < other.used; });
}

template <class Sum>
BucketTable<Sum>& BucketTables<Sum>::nearest(const RowSet& wanted, std::size_t& apart) {
    BucketTable<Sum>* nearest = &tables_[0];
    apart = std::numeric_limits<std::size_t>::max();
    for (BucketTable<Sum>& table : tables_) {
        if (table.sums.empty()) continue;
        const std::size_t n = n_apart(table.rows, wanted);
        if (n >= apart) continue;
        apart = n;
        nearest = &table;
    }
    return *nearest;
}

template <class Sum>
BucketTable<Sum>* BucketTables<Sum>::with(const RowHash& hash) {
    for (BucketTable<Sum>& table : tables_) {
        if (!table.sums.empty() && table.rows.hash == hash) return &table;
    }
    return nullptr;
}

template <class Sum>
const BucketTable<Sum>* BucketTables<Sum>::make(const BucketedRows<Sum>& rows,
                                                const RowSet& wanted,
                                                const BucketTable<Sum>* parent,
                                                StopSign& stop) {
    // Costs are counted in rows added; a pass over a table is worth this many.
    const std::size_t pass = rows.table_size() / (8 * rows.n_added()) + 1;
    std::size_t apart = 0;
    BucketTable<Sum>* table = &nearest(wanted, apart);
    const std::size_t afresh = pass + wanted.n;
    const std::size_t outside = parent ? pass + parent->rows.n - wanted.n : afresh;
    const std::size_t least = std::min({apart, afresh, outside});
    if (parent && 2 * pass < least) {
        if (auto* sibling = with(parent->rows.hash - wanted.hash)) {
            sibling->used = ++clock_;
            return &subtract(*parent, *sibling, wanted);
        }
    }
    if (apart > least) {
        table = &oldest();
        if (parent && outside < afresh) {
            table->sums = parent->sums;
            table->rows = parent->rows;
        } else {
            table->sums.assign(rows.table_size(), 0);
            table->rows.words.assign(wanted.words.size(), 0);
        }
    }
    table->used = ++clock_;
    return change(rows, wanted, *table, stop) ? table : nullptr;
}

template <class Sum>
BucketTable<Sum>& BucketTables<Sum>::subtract(const BucketTable<Sum>& parent,
                                              const BucketTable<Sum>& sibling,
                                              const RowSet& wanted) {
    BucketTable<Sum>& table = oldest();
    table.used = ++clock_;
    table.sums.resize(parent.sums.size());
    for (std::size_t at = 0; at < table.sums.size(); ++at) {
        table.sums[at] = parent.sums[at] - sibling.sums[at];
    }
    table.rows = wanted;
    return table;
}

template <class Sum>
bool BucketTables<Sum>::change(const BucketedRows<Sum>& rows, const RowSet& wanted,
                               BucketTable<Sum>& table, StopSign& stop) {
    Sum* sums = table.sums.data();
    for (std::size_t at = 0; at < wanted.words.size(); ++at) {
        if (at % words_between_looks == 0 && stop.is_up()) {
            table.sums.clear();
            return false;
        }
        const std::uint64_t now = wanted.words[at], before = table.rows.words[at];
        for_each_bit(now & ~before, at,
                     [&](std::uint32_t row) { add(rows, row, 1, sums); });
        for_each_bit(before & ~now, at,
                     [&](std::uint32_t row) { add(rows, row, -1, sums); });
    }
    table.rows = wanted;
    return true;
}

template <class Sum>
void BucketTables<Sum>::add(const BucketedRows<Sum>& rows, std::uint32_t row, Sum sign,
                            Sum* sums) {
    const Sum* more = rows.sums_of(row);
    if (rows.slots == 2) {  // two classes and nothing else: the usual case
        const Sum zero = sign * more[0], one = sign * more[1];
        rows.for_each_bucket(row, [&](std::uint32_t bucket) {
            Sum* at = sums + std::size_t{bucket} * 2;
            at[0] += zero;
            at[1] += one;
        });
        return;
    }
    rows.for_each_bucket(row, [&](std::uint32_t bucket) {
        Sum* at = sums + std::size_t{bucket} * rows.slots;
        for (std::uint32_t slot = 0; slot < rows.slots; ++slot) {
            at[slot] += sign * more[slot];
        }
    });
}

template class BucketTables<std::int32_t>;
template class BucketTables<std::int64_t>;

}  // namespace ostrya
