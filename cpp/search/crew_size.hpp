/// How many threads may join a search, each with levels of its own.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "memory/budget.hpp"

namespace ostrya {

/// As many as are wanted, or as there is memory for, where the root of the first thread
/// takes so many bytes.
inline std::size_t crew_size(std::size_t n_wanted, std::uint64_t root_bytes,
                             const MemoryBudget& memory) {
    // Levels as large as the root that a thread may need: of those below, each child is
    // smaller than its parent.
    constexpr std::uint64_t levels_per_thread = 2;
    std::size_t n = 0;
    while (n < n_wanted && memory.allows((n + 1) * levels_per_thread * root_bytes)) ++n;
    return n;
}

}  // namespace ostrya
