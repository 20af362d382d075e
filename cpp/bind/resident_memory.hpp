/// Resident memory of this process, to turn a limit on the process into one on the
/// search.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>

#include "memory/budget.hpp"
#include "watch/stop.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace ostrya {

/// Bytes of memory this process holds now; 0 where the system does not say.
inline std::uint64_t resident_memory() {
#if defined(__linux__)
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0, resident = 0;
    if (statm >> total >> resident) {
        return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    }
#endif
    return 0;
}

/// Limit a search so that the process stays within `limit` bytes. A process that is
/// nearly full already gets a quarter of the limit all the same.
inline void set_search_limit(MemoryBudget& memory, std::optional<std::uint64_t> limit) {
    if (!limit) return;
    const std::uint64_t resident = resident_memory(), least = *limit / 4;
    memory.set_limit(memory.used() +
                     (resident + least < *limit ? *limit - resident : least));
}

/// Whether the preparation of a search has to end, for want of memory or of time.
inline bool is_out_of_limits(const MemoryBudget& memory, StopSign& stop) {
    if (memory.is_exceeded()) stop.memory_is_out();
    return memory.is_exceeded() || stop.is_late();
}

}  // namespace ostrya
