/// Room for the levels of a search within its memory limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ostrya {

/// Deeper than any tree people read. A level takes some 900 bytes of stack, and stacks
/// are small on Windows.
#if defined(_WIN32)
inline constexpr std::size_t most_levels = 1024;
#else
inline constexpr std::size_t most_levels = 2048;
#endif

/// Levels that hold less than this are looked at now and then, not at every child.
inline constexpr std::uint64_t large_level = std::uint64_t{1} << 20;

/// What either child of a parted level takes at most: a share of what goes with the
/// rows, and no more cuts of a histogram than it has rows.
template <class Level>
std::uint64_t child_bytes(const Level& level) {
    const auto& node = level.node;
    const std::uint64_t n_rows = level.parting.most_rows(node);
    if (node.n_rows == 0 || node.width == 0) return 0;
    const std::uint64_t of_rows = node.row_bytes();
    const std::uint64_t of_splits = level.bytes() - of_rows;
    const std::uint64_t width = std::min<std::uint64_t>(
        node.width, node.n_bits + n_rows * node.histograms.size());
    return of_rows / node.n_rows * n_rows + of_splits / node.width * width;
}

/// Make sure that a level below `depth` that takes `wanted` bytes fits the limit. What
/// deeper levels hold is of no use now, and what was learned can be forgotten.
template <class Levels, class MemoryNow, class Forget>
bool make_room_below(Levels& levels, std::size_t depth, std::uint64_t wanted,
                     std::uint64_t limit, MemoryNow memory_now, Forget forget) {
    const std::size_t below = depth + 1;
    if (below < levels.size()) {
        if (wanted < large_level) return true;
        const std::uint64_t held = levels[below]->bytes();
        if (wanted <= held || memory_now() + wanted - held <= limit) return true;
    } else if (memory_now() + wanted <= limit) {
        return true;
    }
    if (levels.size() > below) levels.resize(below);
    if (memory_now() + wanted <= limit) return true;
    forget();
    return memory_now() + wanted <= limit;
}

}  // namespace ostrya
