/// What was proved about each set of rows, for one thread or for all of a search.
///
/// Where threads share it, row sets are spread over many tables, each with a lock that
/// is held for one look-up or one entry, never while anything is searched.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "memory/spin_lock.hpp"
#include "search/memo_table.hpp"

namespace ostrya {

class Memo {
public:
    Memo(SubtreePool& pool, MemoryBudget& memory, std::size_t max_bytes,
         Switch depth_transfer, bool is_shared)
        : is_shared_(is_shared) {
        const std::size_t n_parts = is_shared ? n_shared_parts : 1;
        for (std::size_t part = 0; part < n_parts; ++part) {
            parts_.push_back(std::make_unique<Part>(pool, memory, max_bytes / n_parts,
                                                    depth_transfer));
            if (is_shared) parts_.back()->table.reserve();
        }
    }

    /// Have the processor fetch what `find` will read.
    void prefetch(const RowHash& rows) { part_of(rows).table.prefetch(rows); }

    /// All that is known; a fresh bracket when nothing is.
    Bracket find(const RowHash& rows, const Limits& limits) {
        Part& part = part_of(rows);
        const LockIfShared held(part.lock, is_shared_);
        return part.table.find(rows, limits);
    }

    /// Remember a bracket that took `work` subproblems to prove, here or elsewhere.
    void store(const RowHash& rows, const Limits& limits, const Bracket& bracket,
               std::uint64_t work, bool is_told = false) {
        Part& part = part_of(rows);
        const LockIfShared held(part.lock, is_shared_);
        part.table.store(rows, limits, bracket, work, is_told);
    }

    /// Grow for so many more entries, before threads share it.
    void make_room_for(std::size_t n) {
        for (const auto& part : parts_) part->table.make_room_for(n / parts_.size());
    }

    /// Have `visit` see every fact. Others wait while it sees those of their table, so
    /// that trees stay where they are.
    template <class Visit>
    void for_each(const Visit& visit) {
        for (const auto& part : parts_) {
            const LockIfShared held(part->lock, is_shared_);
            part->table.for_each(visit);
        }
    }

    /// Drop everything and give the memory back.
    void forget() {
        for (const auto& part : parts_) {
            const LockIfShared held(part->lock, is_shared_);
            part->table.forget();
        }
    }

    // Once all threads but one have ended:
    std::uint64_t hits() const {
        std::uint64_t sum = 0;
        for (const auto& part : parts_) sum += part->table.hits();
        return sum;
    }
    std::size_t size() const {
        std::size_t sum = 0;
        for (const auto& part : parts_) sum += part->table.size();
        return sum;
    }

private:
    static constexpr std::size_t n_shared_parts = 64;

    struct Part {
        Part(SubtreePool& pool, MemoryBudget& memory, std::size_t max_bytes,
             Switch depth_transfer)
            : table(pool, memory, max_bytes, depth_transfer) {}

        MemoTable table;
        SpinLock lock;
    };

    /// Places within a table go by the other half of a hash.
    Part& part_of(const RowHash& rows) {
        return *parts_[is_shared_ ? rows.high % n_shared_parts : 0];
    }

    const bool is_shared_;
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace ostrya
