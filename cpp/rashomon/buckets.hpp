/// How many trees of a row set have each loss and number of leaves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/budget.hpp"
#include "objective/cost.hpp"
#include "rashomon/natural.hpp"

namespace ostrya::rashomon {

template <class Count>
struct Bucket {
    Weight loss = 0;
    std::uint32_t leaves = 0;
    Count count{};
};

/// Sorted by leaves, then by loss.
template <class Count>
using Buckets = Vector<Bucket<Count>>;

/// Which trees are wanted: those that cost at most `most` and have few enough leaves.
struct Scope {
    CostScale scale;
    Cost most = 0;
    std::uint32_t leaves = 0;

    /// The largest loss of a wanted tree with so many leaves; negative: there is none.
    Weight largest_loss(std::uint32_t n_leaves) const {
        if (n_leaves > leaves) return -1;
        // No more leaves than rows: the product fits in 128 bits, and is compared
        // there.
        const __int128 left = static_cast<__int128>(most) -
                              static_cast<__int128>(scale.penalty) * n_leaves;
        return left < 0 ? -1 : static_cast<Weight>(left / scale.factor);
    }
};

/// The buckets with a number of leaves.
template <class Count>
struct SizeRange {
    std::uint32_t leaves;
    const Bucket<Count>*begin, *end;
};

template <class Count, class Visit>
void for_each_size(const Bucket<Count>* begin, const Bucket<Count>* end,
                   const Visit& visit) {
    while (begin != end) {
        const Bucket<Count>* next = begin;
        while (next != end && next->leaves == begin->leaves) ++next;
        visit(SizeRange<Count>{begin->leaves, begin, next});
        begin = next;
    }
}

/// Adds up the counts of one row set.
///
/// Losses of wanted trees mostly lie close to the largest one, so that counts stand in
/// arrays by the distance from it. Where losses are too far apart for arrays, as real
/// weights have them, contributions are listed, sorted and merged.
template <class Count>
class CountSums {
public:
    explicit CountSums(MemoryBudget& memory) : dense_(memory), sparse_(memory) {}

    /// Start over; no wanted tree loses less than `least_loss`.
    void start(const Scope& scope) {
        scope_ = scope;
        for (Vector<Count>& counts : dense_) counts.clear();
        sparse_.clear();
        largest_.clear();
        merge_at_ = least_merge;
    }

    void add(std::uint32_t leaves, Weight loss, const Count& count) {
        const Weight largest = largest_loss(leaves);
        if (loss > largest) return;
        const auto place = static_cast<std::uint64_t>(largest - loss);
        if (place < dense_losses) {
            Vector<Count>& counts = counts_of(leaves);
            if (place >= counts.size()) counts.resize(place + 1);
            add_count(counts[place], count);
            return;
        }
        sparse_.push_back({loss, leaves, count});
        if (sparse_.size() >= merge_at_) merge();
    }

    /// Add every pair of a tree on the one side and one on the other, `times` over.
    /// Unless `joins_leaves`, two leaves are no pair.
    void add_pairs(const Bucket<Count>* yes, const Bucket<Count>* yes_end,
                   const Bucket<Count>* no, const Bucket<Count>* no_end,
                   std::uint32_t n_times, bool joins_leaves) {
        for_each_size(yes, yes_end, [&](const SizeRange<Count>& a) {
            for_each_size(no, no_end, [&](const SizeRange<Count>& b) {
                if (a.leaves == 1 && b.leaves == 1 && !joins_leaves) return;
                add_ranges(a, b, n_times);
            });
        });
    }

    /// Move the buckets out.
    void finish(Buckets<Count>& out) {
        merge();
        out.clear();
        std::size_t n = sparse_.size();
        for (const Vector<Count>& counts : dense_) {
            for (const Count& count : counts) n += is_zero(count) ? 0 : 1;
        }
        out.reserve(n);
        std::size_t at = 0;
        const auto n_sizes = static_cast<std::uint32_t>(dense_.size());
        for (std::uint32_t leaves = 1; leaves <= n_sizes || at < sparse_.size();
             ++leaves) {
            while (at < sparse_.size() && sparse_[at].leaves == leaves) {
                out.push_back(std::move(sparse_[at++]));
            }
            if (leaves > n_sizes) continue;
            Vector<Count>& counts = dense_[leaves - 1];
            for (std::size_t place = counts.size(); place-- > 0;) {
                if (is_zero(counts[place])) continue;
                out.push_back({largest_loss(leaves) - static_cast<Weight>(place),
                               leaves, std::move(counts[place])});
            }
        }
    }

private:
    static constexpr std::uint64_t dense_losses = 1 << 13;
    static constexpr std::size_t least_merge = 1 << 12;

    Weight largest_loss(std::uint32_t leaves) {
        while (largest_.size() < leaves) {
            largest_.push_back(
                scope_.largest_loss(static_cast<std::uint32_t>(largest_.size()) + 1));
        }
        return largest_[leaves - 1];
    }
    Vector<Count>& counts_of(std::uint32_t leaves) {
        while (dense_.size() < leaves) dense_.emplace_back(dense_.get_allocator());
        return dense_[leaves - 1];
    }

    void add_ranges(const SizeRange<Count>& a, const SizeRange<Count>& b,
                    std::uint32_t n_times) {
        const std::uint32_t leaves = a.leaves + b.leaves;
        const Weight largest = largest_loss(leaves);
        const Weight least = a.begin->loss + b.begin->loss;
        if (least > largest) return;
        const bool is_dense =
            static_cast<std::uint64_t>(largest - least) < dense_losses;
        Count* counts = nullptr;
        if (is_dense) {
            Vector<Count>& all = counts_of(leaves);
            const auto n = static_cast<std::size_t>(largest - least) + 1;
            if (all.size() < n) all.resize(n);
            counts = all.data();
        }
        for (const Bucket<Count>* x = a.begin; x != a.end; ++x) {
            const Weight room = largest - x->loss;
            if (b.begin->loss > room) break;
            const Count factor =
                n_times == 1 ? x->count : times(x->count, Count{n_times});
            for (const Bucket<Count>* y = b.begin; y != b.end && y->loss <= room; ++y) {
                if (is_dense) {
                    add_count(counts[room - y->loss], times(factor, y->count));
                } else {
                    add(leaves, x->loss + y->loss, times(factor, y->count));
                }
            }
        }
    }

    /// Sort and merge what is listed.
    void merge() {
        std::sort(sparse_.begin(), sparse_.end(), [](const auto& a, const auto& b) {
            return a.leaves != b.leaves ? a.leaves < b.leaves : a.loss < b.loss;
        });
        std::size_t n = 0;
        for (std::size_t at = 0; at < sparse_.size(); ++at) {
            if (n > 0 && sparse_[n - 1].leaves == sparse_[at].leaves &&
                sparse_[n - 1].loss == sparse_[at].loss) {
                add_count(sparse_[n - 1].count, sparse_[at].count);
            } else {
                if (n != at) sparse_[n] = std::move(sparse_[at]);
                ++n;
            }
        }
        sparse_.resize(n);
        merge_at_ = std::max(least_merge, 2 * n);
    }

    Scope scope_;
    Vector<Vector<Count>> dense_;  // by leaves, then by distance from the largest loss
    Vector<Bucket<Count>> sparse_;
    std::vector<Weight> largest_;  // by leaves
    std::size_t merge_at_ = least_merge;
};

}  // namespace ostrya::rashomon
