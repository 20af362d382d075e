/// Sizes that vector kernels like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ostrya {

inline std::uint32_t padded(std::size_t n) {
    return static_cast<std::uint32_t>((n + 15) / 16 * 16);
}

/// Numbers that a sum over labels is made of, so that vectors hold it.
inline std::uint32_t label_lanes(std::uint32_t n_labels) {
    return n_labels <= 4 ? 4 : n_labels <= 8 ? 8 : padded(n_labels);
}

}  // namespace ostrya
