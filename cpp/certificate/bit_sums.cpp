#include "certificate/bit_sums.hpp"

#include <algorithm>
#include <bit>

#include "kernels/kernels.hpp"

namespace ostrya::certificate {
namespace {

/// A side of a cut, and the gains of some groups bit by bit.
struct MaskedSide {
    const std::uint64_t *side, *masked;
    const std::uint32_t* words;
    std::uint32_t n_used, n_words, n_planes, n_low_planes;
};

[[gnu::always_inline]] inline std::uint64_t count_side(const MaskedSide& of) {
    std::uint64_t sum = 0;
    for (std::uint32_t plane = 0; plane < of.n_planes; ++plane) {
        const std::uint64_t* bits = of.masked + std::size_t{plane} * of.n_words;
        std::uint64_t count = 0;
        for (std::uint32_t at = 0; at < of.n_used; ++at) {
            count += static_cast<std::uint64_t>(
                __builtin_popcountll(bits[at] & of.side[of.words[at]]));
        }
        const std::uint32_t place =
            plane < of.n_low_planes ? plane : 32 + plane - of.n_low_planes;
        sum += count << place;
    }
    return sum;
}

std::uint64_t sum_side_anywhere(const MaskedSide& of) {
    return count_side(of);
}
#if defined(OSTRYA_X86_KERNELS)
[[gnu::target("popcnt")]] std::uint64_t sum_side_by_popcnt(const MaskedSide& of) {
    return count_side(of);
}
#endif

/// What the groups gain on the side of a cut: as many bits as it takes are counted.
std::uint64_t sum_side(const MaskedSide& of) {
#if defined(OSTRYA_X86_KERNELS)
    if (instruction_set() != InstructionSet::baseline) return sum_side_by_popcnt(of);
#endif
    return sum_side_anywhere(of);
}

}  // namespace

void BitSums::prepare(const CellColumns& columns, const Vector<std::uint32_t>& cells,
                      const Vector<std::uint64_t>& packed) {
    const std::size_t n_groups = packed.size();
    constexpr std::size_t most_words = std::size_t{1} << 22;
    std::uint64_t all = 0;
    for (const std::uint64_t gains : packed) all |= gains;
    n_low_planes_ = static_cast<std::uint32_t>(std::bit_width(all & ~0u));
    n_planes_ = n_low_planes_ + static_cast<std::uint32_t>(std::bit_width(all >> 32));
    n_words_ = static_cast<std::uint32_t>((n_groups + 63) / 64);
    const std::size_t n_cuts = columns.n_cells - columns.n_columns;
    if (n_cuts * n_words_ > most_words) return;
    sides_.assign(n_cuts * n_words_, 0);
    planes_.assign(std::size_t{n_planes_} * n_words_, 0);
    masked_.resize(planes_.size());
    set_.resize(n_words_);
    words_.resize(n_words_);
    for (std::uint32_t group = 0; group < n_groups; ++group) {
        const std::uint64_t bit = std::uint64_t{1} << group % 64;
        for (std::uint32_t plane = 0; plane < n_planes_; ++plane) {
            const std::uint32_t place =
                plane < n_low_planes_ ? plane : 32 + plane - n_low_planes_;
            if (packed[group] >> place & 1) {
                planes_[std::size_t{plane} * n_words_ + group / 64] |= bit;
            }
        }
        for (std::uint32_t column = 0; column < columns.n_columns; ++column) {
            const std::uint32_t end = columns.first_cell(column + 1) - 1;
            for (std::uint32_t at =
                     cells[std::size_t{group} * columns.n_columns + column];
                 at < end; ++at) {
                sides_[std::size_t{at - column} * n_words_ + group / 64] |= bit;
            }
        }
    }
}

bool BitSums::sum(const CellColumns& columns, std::span<const std::uint32_t> groups,
                  Vector<std::uint64_t>& cell_sums) {
    if (sides_.empty() || groups.empty()) return false;
    std::fill(set_.begin(), set_.end(), 0);
    for (const std::uint32_t group : groups) {
        set_[group / 64] |= std::uint64_t{1} << group % 64;
    }
    std::uint32_t n_used = 0;
    for (std::uint32_t word = 0; word < n_words_; ++word) {
        if (set_[word] != 0) words_[n_used++] = word;
    }
    const std::size_t n_cuts = columns.n_cells - columns.n_columns;
    if (n_cuts * n_planes_ * n_used >
        groups.size() * columns.n_columns + columns.n_cells) {
        return false;
    }
    for (std::uint32_t plane = 0; plane < n_planes_; ++plane) {
        const std::size_t first = std::size_t{plane} * n_words_;
        for (std::uint32_t at = 0; at < n_used; ++at) {
            masked_[first + at] = planes_[first + words_[at]] & set_[words_[at]];
        }
    }
    std::size_t cut = 0;
    for (std::uint32_t column = 0; column < columns.n_columns; ++column) {
        std::uint64_t before = 0;
        for (std::uint32_t at = columns.first_cell(column);
             at + 1 < columns.first_cell(column + 1); ++at, ++cut) {
            const std::uint64_t yes =
                sum_side({sides_.data() + cut * n_words_, masked_.data(), words_.data(),
                          n_used, n_words_, n_planes_, n_low_planes_});
            cell_sums[at] = yes - before;
            before = yes;
        }
    }
    return true;
}

}  // namespace ostrya::certificate
