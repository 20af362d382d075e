/// What was proved about each set of rows, within a bounded memory.
///
/// Entries of one row set with different limits share a bucket; a look-up joins what
/// they say (B8): a lower bound proved where more trees were allowed holds where fewer
/// are, and a tree found under tighter limits is a tree under looser ones. Dropping an
/// entry is always sound, so a full bucket replaces the entry that took least work.
#pragma once

#include <cstdint>

#include "bounds/switches.hpp"
#include "data/row_hash.hpp"
#include "objective/limits.hpp"
#include "search/bracket.hpp"
#include "search/growing.hpp"

namespace ostrya {

class Memo {
public:
    Memo(SubtreePool& pool, std::size_t max_bytes, Switch depth_transfer);
    ~Memo();
    Memo(const Memo&) = delete;
    Memo& operator=(const Memo&) = delete;

    /// Have the processor fetch what `find` will read.
    void prefetch(const RowHash& rows) { __builtin_prefetch(bucket_of(rows)); }

    /// All that is known; a fresh bracket when nothing is.
    Bracket find(const RowHash& rows, const Limits& limits);

    /// Remember a bracket that took `work` subproblems to prove.
    void store(const RowHash& rows, const Limits& limits, const Bracket& bracket,
               std::uint64_t work);

    /// Drop everything and give the memory back.
    void forget();

    std::size_t bytes() const { return entries_.size() * sizeof(Entry); }
    std::uint64_t hits() const { return hits_; }
    std::size_t size() const { return n_used_; }

private:
    struct Entry {
        RowHash rows;
        Cost lower;
        Cost upper;
        Limits limits;
        std::uint32_t tree;
        std::uint32_t work : 31;  // 0: empty
        std::uint32_t is_tight : 1;
    };
    static constexpr std::size_t bucket_size = 4;
    static constexpr std::size_t first_size = 64 * bucket_size;

    Entry* bucket_of(const RowHash& rows) {
        const std::size_t n_buckets = entries_.size() / bucket_size;
        return entries_.data() + (rows.low & (n_buckets - 1)) * bucket_size;
    }
    void put(Entry entry);
    void grow();
    void clear_from(std::size_t first);
    bool may_grow() const;

    SubtreePool& pool_;
    std::size_t max_bytes_;
    Switch depth_transfer_;
    Growing<Entry> entries_;  // a power of two of buckets
    std::size_t n_used_ = 0;
    std::uint64_t hits_ = 0;
};

}  // namespace ostrya
