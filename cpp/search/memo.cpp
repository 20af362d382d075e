#include "search/memo.hpp"

#include <algorithm>

namespace ostrya {

Memo::Memo(SubtreePool& pool, std::size_t max_bytes, Switch depth_transfer)
    : pool_(pool),
      max_bytes_(max_bytes),
      depth_transfer_(depth_transfer),
      entries_(first_size) {
    clear_from(0);
}

Memo::~Memo() {
    forget();
}

void Memo::forget() {
    for (const Entry& entry : entries_) pool_.release(entry.tree);
    entries_.shrink_to(first_size);
    clear_from(0);
    n_used_ = 0;
}

Bracket Memo::find(const RowHash& rows, const Limits& limits) {
    Bracket known;
    bool is_hit = false;
    const Entry* bucket = bucket_of(rows);
    for (std::size_t index = 0; index < bucket_size; ++index) {
        const Entry& entry = bucket[index];
        if (entry.work == 0 || !(entry.rows == rows)) continue;
        const bool is_same = entry.limits == limits;
        if (!is_same && !depth_transfer_.is_on) continue;
        if (limits.within(entry.limits)) {
            known.lower = std::max(known.lower,
                                   entry.lower + (is_same ? 0 : depth_transfer_.slip));
        }
        if (entry.limits.within(limits) && entry.upper < known.upper) {
            known.upper = entry.upper;
            known.tree = Subtree(pool_, entry.tree);
        }
        known.is_tight |= is_same && entry.is_tight;
        is_hit = true;
    }
    hits_ += is_hit;
    return known;
}

void Memo::store(const RowHash& rows, const Limits& limits, const Bracket& bracket,
                 std::uint64_t work) {
    if (4 * n_used_ >= 3 * entries_.size() && may_grow()) grow();
    pool_.retain(bracket.tree.index());
    constexpr std::uint64_t most_work = 0x7fffffff;
    const auto kept_work =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work, 1, most_work));
    put({rows, bracket.lower, bracket.upper, limits, bracket.tree.index(), kept_work,
         bracket.is_tight});
}

/// Takes over the entry's share of its tree.
void Memo::put(Entry entry) {
    Entry* bucket = bucket_of(entry.rows);
    Entry* target = bucket;
    for (Entry* at = bucket; at != bucket + bucket_size; ++at) {
        if (at->work != 0 && at->rows == entry.rows && at->limits == entry.limits) {
            if (at->work > entry.work) entry.work = at->work;
            target = at;
            break;
        }
        if (at->work < target->work) target = at;
    }
    if (target->work == 0) ++n_used_;
    pool_.release(target->tree);
    *target = entry;
}

void Memo::clear_from(std::size_t first) {
    std::fill(entries_.begin() + first, entries_.end(), Entry{});
}

bool Memo::may_grow() const {
    return 2 * entries_.size() * sizeof(Entry) <= max_bytes_;
}

/// Twice as many buckets: one more bit tells which entries of a bucket move to the new
/// one.
void Memo::grow() {
    const std::size_t n_old = entries_.size();
    entries_.grow_to(2 * n_old);
    clear_from(n_old);
    for (std::size_t at = 0; at < n_old; ++at) {
        Entry& entry = entries_[at];
        const Entry* bucket = entries_.data() + at / bucket_size * bucket_size;
        if (entry.work == 0 || bucket_of(entry.rows) == bucket) continue;
        entries_[at + n_old] = entry;
        entry = {};
    }
}

}  // namespace ostrya
