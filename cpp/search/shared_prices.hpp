/// The latest prices of all rows, put down by the thread that seeks them, for all.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "prices/price_index.hpp"
#include "threads/open_loop.hpp"

namespace ostrya {

class SharedPrices {
public:
    /// Changes whenever prices do; 0 where there are none.
    std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }

    std::pair<std::shared_ptr<const PriceIndex>, std::uint64_t> latest() {
        const std::lock_guard held(mutex_);
        return {index_, version()};
    }
    void publish(std::shared_ptr<const PriceIndex> index, std::uint64_t version) {
        const std::lock_guard held(mutex_);
        index_ = std::move(index);
        version_.store(version, std::memory_order_relaxed);
    }

    /// Where a search for all boxes takes long, threads come to help with it.
    OpenLoop& boxes() { return boxes_; }

private:
    OpenLoop boxes_;
    std::mutex mutex_;
    std::shared_ptr<const PriceIndex> index_;
    std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace ostrya
