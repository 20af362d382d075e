/// What was proved about each set of rows, within a bounded memory.
///
/// Entries of one row set with different limits lie side by side; a look-up joins what
/// they say (B8): a lower bound proved where more trees were allowed holds where fewer
/// are, and a tree found under tighter limits is a tree under looser ones. Dropping an
/// entry is always sound, so where all places are taken, the entry that took least work
/// is replaced.
#pragma once

#include <cstdint>

#include "bounds/switches.hpp"
#include "data/row_hash.hpp"
#include "memory/blocks.hpp"
#include "objective/limits.hpp"
#include "search/bracket.hpp"

namespace ostrya {

/// What one entry says.
struct MemoFact {
    RowHash rows;
    Limits limits;
    Cost lower = 0;
    Cost upper = 0;
    std::uint32_t tree = 0;  // index in the pool; costs `upper`
    std::uint32_t work = 0;  // subproblems that it took
    bool is_tight = false;   // some tree costs `lower`
    bool is_told = false;    // by another search; this one has not added to it
};

class MemoTable {
public:
    MemoTable(SubtreePool& pool, MemoryBudget& memory, std::size_t max_bytes,
              Switch depth_transfer);
    ~MemoTable();
    MemoTable(const MemoTable&) = delete;
    MemoTable& operator=(const MemoTable&) = delete;

    /// Have room for the list of all blocks, so that threads may `prefetch` while
    /// another one adds entries.
    void reserve() { entries_.reserve(max_bytes_ / sizeof(Entry)); }

    /// Grow for so many more entries, as far as the table may. Entries that come in the
    /// order of another table would crowd the first pages of a smaller one.
    void make_room_for(std::size_t n);

    /// Have the processor fetch what `find` will read.
    void prefetch(const RowHash& rows) { entries_.prefetch(home_of(rows)); }

    /// All that is known; a fresh bracket when nothing is.
    Bracket find(const RowHash& rows, const Limits& limits);

    /// Remember a bracket that took `work` subproblems to prove, here or elsewhere.
    void store(const RowHash& rows, const Limits& limits, const Bracket& bracket,
               std::uint64_t work, bool is_told);

    /// Have `visit` see every fact.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (std::size_t at = 0; at < entries_.size(); ++at) {
            const Entry& entry = entries_[at];
            if (entry.work == 0) continue;
            visit(MemoFact{entry.rows, entry.limits, entry.lower, entry.upper,
                           entry.tree, entry.work, entry.is_tight != 0,
                           entry.is_told != 0});
        }
    }

    /// Drop everything and give the memory back.
    void forget();

    std::uint64_t hits() const { return hits_; }
    std::size_t size() const { return n_used_; }

private:
    struct Entry {
        RowHash rows;
        Cost lower = 0;
        Cost upper = 0;
        Limits limits;
        std::uint32_t tree = 0;
        std::uint32_t work : 30 = 0;  // 0: empty
        std::uint32_t is_tight : 1 = 0;
        std::uint32_t is_told : 1 = 0;
    };
    /// An entry lies within `window` places of its home, and in its home's page; the
    /// places before it are taken.
    static constexpr std::size_t window = 16;
    static constexpr std::size_t page = 64;
    static_assert(Blocks<Entry>::block % page == 0);

    /// Homes share the hashes in their order, so that any number of pages will do.
    std::size_t home_of(const RowHash& rows) const {
        const auto product = static_cast<unsigned __int128>(rows.low) * entries_.size();
        return static_cast<std::size_t>(product >> 64);
    }
    /// The place `step` after a home; the last of a page is followed by its first.
    Entry& at(std::size_t home, std::size_t step) {
        return (&entries_[home / page * page])[(home + step) % page];
    }
    void put(Entry entry);
    void grow_to(std::size_t size);
    std::size_t next_size() const;

    SubtreePool& pool_;
    std::size_t max_bytes_;
    Switch depth_transfer_;
    Blocks<Entry> entries_;
    std::size_t n_used_ = 0;
    std::uint64_t hits_ = 0;
};

}  // namespace ostrya
