/// Which row sets are being searched at the moment, so that threads keep out of each
/// other's way.
///
/// A hint and no lock: two threads that search the same rows prove the same, and only
/// lose time. So one place per set will do, and the last to claim it has it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "data/row_hash.hpp"

namespace ostrya {

class WorkHints {
public:
    void take(const RowHash& rows) {
        place_of(rows).store(rows.low, std::memory_order_relaxed);
    }
    void release(const RowHash& rows) {
        std::uint64_t mine = rows.low;
        place_of(rows).compare_exchange_strong(mine, 0, std::memory_order_relaxed);
    }
    bool is_taken(const RowHash& rows) {
        return place_of(rows).load(std::memory_order_relaxed) == rows.low;
    }

private:
    std::atomic<std::uint64_t>& place_of(const RowHash& rows) {
        return places_[rows.high % places_.size()];
    }

    std::array<std::atomic<std::uint64_t>, 4096> places_{};
};

}  // namespace ostrya
