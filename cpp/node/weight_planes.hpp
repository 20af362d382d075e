/// Weights of rows, sliced into bits, so that popcounts sum them.
///
/// Plane `p` holds bit `shift[p]` of what each row adds to slot `slot[p]`. Rows that
/// prefer the same label stand together, heaviest first, so most words of most planes
/// are zero; only the others are listed.
#pragma once

#include "kernels/kernels.hpp"
#include "memory/budget.hpp"

namespace ostrya {

struct WeightPlanes {
    explicit WeightPlanes(MemoryBudget& memory)
        : bits(memory), slot(memory), shift(memory), words(memory) {}

    std::size_t n() const { return slot.size(); }

    /// Slice the sums of `n_rows` rows, `n_slots` to a row.
    template <class Sum>
    void slice(const Sum* sums, std::uint32_t n_rows, std::uint32_t n_slots);

    /// Those rows of another set that are in `keep`: `n_rows` of them.
    void compress(const WeightPlanes& from, const std::uint64_t* keep,
                  std::uint32_t n_words, std::uint32_t n_rows);

    /// For each slot the words that are not zero.
    void list_words(std::uint32_t n_words, std::uint32_t n_slots);

    Vector<std::uint64_t> bits;  // words x planes
    Vector<std::uint32_t> slot, shift;
    Vector<Vector<MaskWord>> words;  // by slot
};

}  // namespace ostrya
