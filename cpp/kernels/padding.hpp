/// Sizes that vector kernels like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ostrya {

inline std::uint32_t padded(std::size_t n) {
    return static_cast<std::uint32_t>((n + 15) / 16 * 16);
}

/// The bits of the last word that stand for rows.
inline std::uint64_t tail_mask(std::uint32_t n_rows) {
    return n_rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_rows % 64) - 1;
}

}  // namespace ostrya
