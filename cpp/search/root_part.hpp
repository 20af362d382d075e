/// What a search is told that does a part of a larger one, beside others elsewhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "objective/cost.hpp"

namespace ostrya {

/// Only trees cheaper than this are wanted; it falls while searches run.
class SharedUpper {
public:
    explicit SharedUpper(Cost cost) : cost_(cost) {}

    void lower_to(Cost cost) {
        Cost known = cost_.load();
        while (cost < known && !cost_.compare_exchange_weak(known, cost)) {
        }
        if (cost < known) ++version_;
    }
    Cost cost() const { return cost_.load(); }
    /// Changes when the cost does.
    const std::atomic<std::uint64_t>& version() const { return version_; }

private:
    std::atomic<Cost> cost_;
    std::atomic<std::uint64_t> version_ = 0;
};

/// Some of the root's splits, and what others have proved of all of them by now: one
/// entry per split, in the order of a `SplitTable`.
struct RootPart {
    std::vector<std::uint8_t> is_mine;
    std::vector<Cost> yes, no, rest;
    std::shared_ptr<SharedUpper> upper;  // base included
};

}  // namespace ostrya
