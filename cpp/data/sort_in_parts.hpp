/// Sorting that can be stopped half-way.
#pragma once

#include <algorithm>
#include <cstddef>

#include "data/stop_check.hpp"

namespace ostrya {

/// Sort `items`, which are all different to `compare`. False, and in any order, if
/// stopped: it asks after every few milliseconds, and before each of the last merges.
template <class Items, class Compare>
bool sort_in_parts(Items& items, const Compare& compare, const StopCheck& is_stopped) {
    constexpr std::size_t part = std::size_t{1} << 15;
    const std::size_t n = items.size();
    const auto at = [&](std::size_t place) {
        return items.begin() + static_cast<std::ptrdiff_t>(std::min(place, n));
    };
    for (std::size_t start = 0; start < n; start += part) {
        if (start > 0 && is_stopped()) return false;
        std::sort(at(start), at(start + part), compare);
    }
    for (std::size_t width = part; width < n; width *= 2) {
        for (std::size_t start = 0; start + width < n; start += 2 * width) {
            if (is_stopped()) return false;
            std::inplace_merge(at(start), at(start + width), at(start + 2 * width),
                               compare);
        }
    }
    return true;
}

}  // namespace ostrya
