#include "node/weight_planes.hpp"

#include <bit>
#include <vector>

#include "data/row_bits.hpp"

namespace ostrya {

template <class Sum>
void WeightPlanes::slice(const Sum* sums, std::uint32_t n_rows, std::uint32_t n_slots) {
    slot.clear();
    shift.clear();
    std::vector<std::uint32_t> first(n_slots + 1, 0);
    for (std::uint32_t at = 0; at < n_slots; ++at) {
        std::uint64_t any = 0;
        for (std::uint32_t row = 0; row < n_rows; ++row) {
            any |= static_cast<std::uint64_t>(sums[std::size_t{row} * n_slots + at]);
        }
        const auto depth = static_cast<std::uint32_t>(std::bit_width(any));
        for (std::uint32_t bit = 0; bit < depth; ++bit) {
            slot.push_back(at);
            shift.push_back(bit);
        }
        first[at + 1] = first[at] + depth;
    }
    bits.assign(n() * words_for(n_rows), 0);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        std::uint64_t* planes = bits.data() + row / 64 * n();
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        for (std::uint32_t at = 0; at < n_slots; ++at) {
            auto left =
                static_cast<std::uint64_t>(sums[std::size_t{row} * n_slots + at]);
            for (; left != 0; left &= left - 1) {
                planes[first[at] +
                       static_cast<std::uint32_t>(std::countr_zero(left))] |= bit;
            }
        }
    }
}

void WeightPlanes::compress(const WeightPlanes& from, const std::uint64_t* keep,
                            std::uint32_t n_words, std::uint32_t n_rows) {
    slot = from.slot;
    shift = from.shift;
    // One word more than the rows need: compression may touch it with zeros.
    bits.assign((words_for(n_rows) + std::size_t{1}) * n(), 0);
    compress_kernel()({from.bits.data(), n()}, n(), keep, n_words, bits.data(), n());
}

void WeightPlanes::list_words(std::uint32_t n_words, std::uint32_t n_slots) {
    words.resize(n_slots, Vector<MaskWord>(words.get_allocator()));
    for (Vector<MaskWord>& listed : words) listed.clear();
    for (std::uint32_t word = 0; word < n_words; ++word) {
        const std::uint64_t* planes = bits.data() + word * n();
        for (std::size_t plane = 0; plane < n(); ++plane) {
            if (planes[plane] == 0) continue;
            words[slot[plane]].push_back({planes[plane], word, shift[plane]});
        }
    }
}

template void WeightPlanes::slice(const std::int32_t*, std::uint32_t, std::uint32_t);
template void WeightPlanes::slice(const std::int64_t*, std::uint32_t, std::uint32_t);

}  // namespace ostrya
