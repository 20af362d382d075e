#include "top_k/bucketed_rows.hpp"

#include <cassert>

namespace ostrya {

template <class Sum>
BucketedRows<Sum>::BucketedRows(const Problem& of, StopSign& stop, MemoryBudget& memory)
    : problem(of),
      n_rows(static_cast<std::uint32_t>(problem.n_groups)),
      n_columns(static_cast<std::uint32_t>(problem.splits.size())),
      slots(problem.layout.size()),
      buckets(memory),
      first(memory),
      place_of_order(n_columns, no_order, memory),
      order(memory),
      plain(memory),
      codes(memory),
      levels(memory),
      sums(problem.sums.begin(), problem.sums.end(), memory),
      keys(of.keys.begin(), of.keys.end(), memory),
      starts_(memory) {
    lay_out();
    std::uint32_t n_plain = 0, n_coded_before = 0;
    for (const auto [begin, end] : runs_of(problem.splits)) {
        if (stop.is_up()) break;
        if (problem.splits[begin].ranks.codes()) {
            fill_levels(begin, end, n_coded_before++);
            continue;
        }
        const auto column = static_cast<std::uint32_t>(begin);
        const auto bucket = static_cast<std::uint32_t>(buckets.size());
        first.push_back(bucket);
        plain[n_plain] = bucket;
        sort_rows(column);
        fill_buckets(column, n_plain++);
    }
    first.push_back(static_cast<std::uint32_t>(buckets.size()));
}

/// Make room for the buckets and the order of each column.
template <class Sum>
void BucketedRows<Sum>::lay_out() {
    std::uint32_t n_plain = 0, n_orders = 0;
    for (const auto [begin, end] : runs_of(problem.splits)) {
        const SplitColumn& column = problem.splits[begin];
        if (column.ranks.codes()) {
            ++n_coded;
            continue;
        }
        ++n_plain;
        if (column.n_ranks() > 2) place_of_order[begin] = n_orders++;
    }
    order.resize(std::size_t{n_rows} * n_orders);
    plain.resize(n_plain);
    codes.resize(std::size_t{n_rows} * n_plain);
    levels.resize(std::size_t{n_rows} * n_coded);
}

/// The levels of one categorical column, numbers `begin` to `end`.
template <class Sum>
void BucketedRows<Sum>::fill_levels(std::size_t begin, std::size_t end,
                                    std::uint32_t place) {
    const Codes& shared = *problem.splits[begin].ranks.codes();
    Vector<std::uint32_t> bucket_of(shared.n_codes, no_bucket, buckets.get_allocator());
    for (std::size_t column = begin; column < end; ++column) {
        const auto bucket = static_cast<std::uint32_t>(buckets.size());
        first.push_back(bucket);
        const SplitColumn& level = problem.splits[column];
        assert(level.n_ranks() <= 2);
        // Nobody looks for their rows, so that they need no places in an order.
        for (std::uint32_t rank = 0; rank < level.n_ranks(); ++rank) {
            buckets.push_back({0, 0, rank, rank});
        }
        bucket_of[level.ranks.level()] = bucket;
    }
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        levels[std::size_t{row} * n_coded + place] = bucket_of[shared.of_row[row]];
    }
}

/// Rows by rank, and by number within a rank; where there is one cut, the numbers of
/// rows alone.
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
    if (order_of(column) == nullptr) return;
    Vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1,
                               starts_.get_allocator());
    RankedRow* places = order.data() + std::size_t{place_of_order[column]} * n_rows;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        const std::uint32_t rank = source.ranks[row];
        places[next[rank]++] = {row, rank};
    }
}

/// Close a bucket where it has its share of the rows that are left, or where every rank
/// can have a bucket of its own.
template <class Sum>
void BucketedRows<Sum>::fill_buckets(std::uint32_t column, std::uint32_t place) {
    const std::uint32_t n_ranks = problem.splits[column].n_ranks();
    const RankedRow* places = order_of(column);
    const std::size_t step = plain.size();
    if (places == nullptr) {
        const Ranks& ranks = problem.splits[column].ranks;
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            codes[row * step + place] = static_cast<std::uint8_t>(ranks[row]);
        }
    }
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
        for (std::uint32_t at = bucket.begin; places && at < bucket.end; ++at) {
            codes[places[at].row * step + place] = static_cast<std::uint8_t>(code);
        }
        buckets.push_back(bucket);
        bucket = {bucket.end, bucket.end, rank + 1, rank + 1};
    }
}

template struct BucketedRows<std::int32_t>;
template struct BucketedRows<std::int64_t>;

}  // namespace ostrya
