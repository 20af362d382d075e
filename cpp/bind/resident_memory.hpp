/// Resident memory of this process, to turn a limit on the process into one on the
/// search.
#pragma once

#include <cstdint>
#include <fstream>

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

/// What the search may use so that the process stays within `limit`. A process that is
/// nearly full already gets a quarter of the limit all the same.
inline std::uint64_t search_memory(std::uint64_t limit) {
    const std::uint64_t resident = resident_memory();
    const std::uint64_t least = limit / 4;
    return resident + least < limit ? limit - resident : least;
}

}  // namespace ostrya
