#include "search/memo_table.hpp"

#include <algorithm>
#include <array>

#include "bounds/depth_transfer.hpp"

namespace ostrya {

MemoTable::MemoTable(SubtreePool& pool, MemoryBudget& memory, std::size_t max_bytes,
                     Switch depth_transfer)
    : pool_(pool),
      max_bytes_(max_bytes),
      depth_transfer_(depth_transfer),
      entries_(memory) {
    grow_to(1);
}

MemoTable::~MemoTable() {
    forget();
}

void MemoTable::forget() {
    for (std::size_t at = 0; at < entries_.size(); ++at) {
        pool_.release(entries_[at].tree);
        entries_[at] = {};
    }
    entries_.shrink_to(1);
    n_used_ = 0;
}

void MemoTable::make_room_for(std::size_t n) {
    while (4 * (n_used_ + n) >= 3 * entries_.size() && next_size() > entries_.size()) {
        grow_to(next_size());
    }
}

Bracket MemoTable::find(const RowHash& rows, const Limits& limits) {
    Bracket known;
    bool is_hit = false;
    const std::size_t home = home_of(rows);
    for (std::size_t step = 0; step < window; ++step) {
        const Entry& entry = at(home, step);
        if (entry.work == 0) break;
        if (!(entry.rows == rows)) continue;
        const bool is_same = entry.limits == limits;
        if (!is_same && !depth_transfer_.is_on) continue;
        known.lower = std::max(known.lower, transferred_lower(entry.lower, entry.limits,
                                                              limits, depth_transfer_));
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

void MemoTable::store(const RowHash& rows, const Limits& limits, const Bracket& bracket,
                      std::uint64_t work, bool is_told) {
    if (4 * n_used_ >= 3 * entries_.size() && next_size() > entries_.size()) {
        grow_to(next_size());
    }
    pool_.retain(bracket.tree.index());
    constexpr std::uint32_t most_work = 0x3fffffff;
    const auto kept_work =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work, 1, most_work));
    put({rows, bracket.lower, bracket.upper, limits, bracket.tree.index(),
         kept_work & most_work, bracket.is_tight, is_told});
}

/// Takes over the entry's share of its tree.
void MemoTable::put(Entry entry) {
    const std::size_t home = home_of(entry.rows);
    Entry* target = &at(home, 0);
    for (std::size_t step = 0; step < window; ++step) {
        Entry& other = at(home, step);
        if (other.work < target->work) target = &other;
        if (other.work == 0) break;
        if (other.rows == entry.rows && other.limits == entry.limits) {
            if (other.work > entry.work) entry.work = other.work;
            target = &other;
            break;
        }
    }
    if (target->work == 0) ++n_used_;
    pool_.release(target->tree);
    *target = entry;
}

/// Twice as large while it is small; then by a quarter, for a table half empty would
/// be most of a search's memory. In the end all that it may take.
std::size_t MemoTable::next_size() const {
    constexpr std::size_t small = std::size_t{1} << 17;
    constexpr std::size_t block = Blocks<Entry>::block;
    const std::size_t size = entries_.size();
    const std::size_t most = max_bytes_ / sizeof(Entry) / block * block;
    return std::min(size < small ? 2 * size : size + size / 4, most);
}

/// Pages keep their order, so an entry moves to a later page or stays in its own: from
/// the last to the first, none meets a page that has yet to move.
void MemoTable::grow_to(std::size_t size) {
    const std::size_t n_old = entries_.size();
    entries_.grow_to(size);
    n_used_ = 0;
    for (std::size_t first = n_old; first > 0;) {
        first -= page;
        std::array<Entry, page> moving;
        std::copy_n(&entries_[first], page, moving.begin());
        std::fill_n(&entries_[first], page, Entry{});
        for (const Entry& entry : moving) {
            if (entry.work != 0) put(entry);
        }
    }
}

}  // namespace ostrya
