/// Sizes that vector kernels like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ostrya {

inline std::uint32_t padded(std::size_t n) {
    return static_cast<std::uint32_t>((n + 15) / 16 * 16);
}

}  // namespace ostrya
