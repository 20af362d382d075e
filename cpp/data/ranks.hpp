/// The rank of every row in one column: in 16 bits where they fit, else in 32; those of
/// the levels of a categorical column are read from codes that the levels share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "memory/budget.hpp"

namespace ostrya {

struct Codes;

/// The ranks of one level, computed from codes: 0 for its rows, 1 for all others.
template <class Code>
class LevelRanks {
public:
    LevelRanks(std::span<const Code> codes, std::uint32_t level,
               std::uint32_t last_rank)
        : codes_(codes),
          level_(static_cast<Code>(level)),
          last_rank_(static_cast<Code>(last_rank)) {}

    std::size_t size() const { return codes_.size(); }
    Code operator[](std::size_t row) const {
        return static_cast<Code>(codes_[row] != level_) & last_rank_;
    }

private:
    std::span<const Code> codes_;
    Code level_, last_rank_;
};

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

    /// The ranks of the rows with one of the codes, and of all others. There is one
    /// rank only where all rows have this code, or none has.
    Ranks(std::shared_ptr<const Codes> codes, std::uint32_t level,
          std::uint32_t n_ranks, MemoryBudget& memory)
        : Ranks(memory) {
        codes_ = std::move(codes);
        level_ = level;
        last_rank_ = n_ranks - 1;
    }

    MemoryBudget& budget() const { return narrow_.get_allocator().budget(); }
    inline std::uint32_t operator[](std::size_t row) const;
    /// Call `use` with all ranks, which have a size and an operator []: for loops over
    /// many rows.
    template <class Use>
    decltype(auto) visit(const Use& use) const;

    /// What the ranks of a level are computed from; null for ranks that are stored.
    const std::shared_ptr<const Codes>& codes() const { return codes_; }
    std::uint32_t level() const { return level_; }
    /// Compute the ranks of a level from other codes, such as those of fewer rows.
    void read_from(std::shared_ptr<const Codes> codes) { codes_ = std::move(codes); }

    /// Replace every stored rank by `local[rank]`, which is not larger.
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

    Vector<Narrow> narrow_;  // one of the two is empty; both are with codes
    Vector<Wide> wide_;
    std::shared_ptr<const Codes> codes_;
    std::uint32_t level_ = 0;
    std::uint32_t last_rank_ = 0;
};

/// The code of every row in a categorical column, dense from 0.
struct Codes {
    Ranks of_row;  // stored
    std::uint32_t n_codes = 0;
};

inline std::uint32_t Ranks::operator[](std::size_t row) const {
    if (codes_) return (codes_->of_row[row] != level_ ? 1u : 0u) & last_rank_;
    return wide_.empty() ? narrow_[row] : wide_[row];
}

template <class Use>
decltype(auto) Ranks::visit(const Use& use) const {
    if (codes_) {
        const Ranks& stored = codes_->of_row;
        return stored.wide_.empty()
                   ? use(LevelRanks<Narrow>(stored.narrow_, level_, last_rank_))
                   : use(LevelRanks<Wide>(stored.wide_, level_, last_rank_));
    }
    return wide_.empty() ? use(std::span<const Narrow>(narrow_))
                         : use(std::span<const Wide>(wide_));
}

}  // namespace ostrya
