/// What the caller may say about the search itself.
#pragma once

#include <cstdint>
#include <optional>

#include "bounds/switches.hpp"

namespace ostrya {

struct Options {
    std::optional<double> time_limit;            // seconds
    std::optional<std::uint64_t> memory_limit;   // bytes the search may add
    std::optional<Cost> upper;                   // only trees cheaper than this are wanted
    Switches switches;
};

}  // namespace ostrya
