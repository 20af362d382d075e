#include "top_k/bucketed_rows.hpp"

namespace ostrya {

template <class Sum>
BucketedRows<Sum>::BucketedRows(const Problem& of, StopSign& stop, MemoryBudget& memory)
    : problem(of),
      n_rows(static_cast<std::uint32_t>(problem.n_groups)),
      n_columns(static_cast<std::uint32_t>(problem.splits.size())),
      slots(problem.layout.size()),
      buckets(memory),
      first(memory),
      order(std::size_t{n_rows} * n_columns, memory),
      codes(std::size_t{n_rows} * n_columns, memory),
      sums(problem.sums.begin(), problem.sums.end(), memory),
      keys(of.keys.begin(), of.keys.end(), memory),
      starts_(memory) {
    for (std::uint32_t column = 0; column < n_columns && !stop.is_up(); ++column) {
        first.push_back(static_cast<std::uint32_t>(buckets.size()));
        sort_rows(column);
        fill_buckets(column);
    }
    first.push_back(static_cast<std::uint32_t>(buckets.size()));
}

/// Rows by rank, and by number within a rank.
template <class Sum>
void BucketedRows<Sum>::sort_rows(std::uint32_t column) {
    const SplitColumn& source = problem.splits[column];
    starts_.assign(source.n_ranks() + 1, 0);
    source.ranks.visit([&](const auto ranks) {
        for (std::size_t row = 0; row < ranks.size(); ++row) {
            ++starts_[std::uint32_t{ranks[row]} + 1];
        }
    });
    for (std::size_t rank = 1; rank < starts_.size(); ++rank) {
        starts_[rank] += starts_[rank - 1];
    }
    Vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1,
                               starts_.get_allocator());
    RankedRow* places = order.data() + std::size_t{column} * n_rows;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        const std::uint32_t rank = source.ranks[row];
        places[next[rank]++] = {row, rank};
    }
}

/// Close a bucket where it has its share of the rows that are left, or where every rank
/// can have a bucket of its own.
template <class Sum>
void BucketedRows<Sum>::fill_buckets(std::uint32_t column) {
    const std::uint32_t n_ranks = problem.splits[column].n_ranks();
    const RankedRow* places = order_of(column);
    Bucket bucket;
    for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
        bucket.last_rank = rank;
        bucket.end = starts_[rank + 1];
        const auto code = static_cast<std::uint32_t>(buckets.size()) - first[column];
        const std::uint32_t n_left = most_buckets - code;
        const std::uint64_t n_here = bucket.end - bucket.begin;
        if (n_ranks - bucket.first_rank > n_left && rank + 1 < n_ranks &&
            n_here * n_left < n_rows - bucket.begin) {
            continue;
        }
        for (std::uint32_t at = bucket.begin; at < bucket.end; ++at) {
            codes[std::size_t{places[at].row} * n_columns + column] =
                static_cast<std::uint8_t>(code);
        }
        buckets.push_back(bucket);
        bucket = {bucket.end, bucket.end, rank + 1, rank + 1};
    }
}

template struct BucketedRows<std::int32_t>;
template struct BucketedRows<std::int64_t>;

}  // namespace ostrya
