/// What the caller may say about the search itself.
#pragma once

#include <cstdint>
#include <optional>

#include "bounds/switches.hpp"

namespace ostrya {

/// Bytes a search may add without a limit: enough for 30 million subproblems.
inline constexpr std::uint64_t default_memory = std::uint64_t{4} << 30;

struct Options {
    std::optional<double> time_limit;           // seconds
    std::optional<std::uint64_t> memory_limit;  // bytes the search may add
    std::optional<Cost> upper;  // only trees cheaper than this are wanted
    Switches switches;

    std::uint64_t memory() const { return memory_limit.value_or(default_memory); }
};

}  // namespace ostrya
