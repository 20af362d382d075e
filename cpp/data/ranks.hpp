/// The rank of every row in one column: in 16 bits where they fit, else in 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "memory/budget.hpp"

namespace ostrya {

class Ranks {
public:
    explicit Ranks(MemoryBudget& memory) : narrow_(memory), wide_(memory) {}
    /// The ranks of `n_rows` rows, all below `n_ranks`; `rank_of(row)` tells them.
    template <class RankOf>
    Ranks(std::size_t n_rows, std::uint32_t n_ranks, const RankOf& rank_of,
          MemoryBudget& memory)
        : Ranks(memory) {
        if (n_ranks <= std::size_t{std::numeric_limits<Narrow>::max()} + 1) {
            fill(narrow_, n_rows, rank_of);
        } else {
            fill(wide_, n_rows, rank_of);
        }
    }

    MemoryBudget& budget() const { return narrow_.get_allocator().budget(); }
    std::uint32_t operator[](std::size_t row) const {
        return wide_.empty() ? narrow_[row] : wide_[row];
    }
    /// Call `use` with all ranks as they are stored: for loops over many rows.
    template <class Use>
    decltype(auto) visit(const Use& use) const {
        return wide_.empty() ? use(std::span<const Narrow>(narrow_))
                             : use(std::span<const Wide>(wide_));
    }
    /// Exchange every rank for `local[rank]`, which is not larger.
    void renumber(const Vector<std::uint32_t>& local) {
        for (Narrow& rank : narrow_) rank = static_cast<Narrow>(local[rank]);
        for (Wide& rank : wide_) rank = local[rank];
    }

private:
    using Narrow = std::uint16_t;
    using Wide = std::uint32_t;

    template <class Rank, class RankOf>
    static void fill(Vector<Rank>& ranks, std::size_t n_rows, const RankOf& rank_of) {
        ranks.resize(n_rows);
        for (std::size_t row = 0; row < n_rows; ++row) {
            ranks[row] = static_cast<Rank>(rank_of(row));
        }
    }

    Vector<Narrow> narrow_;  // one of the two is empty
    Vector<Wide> wide_;
};

}  // namespace ostrya
