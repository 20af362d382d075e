/// Many boxes at once: for each side of each column, how far it may have moved in.
#pragma once

#include <cstdint>

#include "memory/budget.hpp"
#include "objective/price_scale.hpp"
#include "prices/rank_table.hpp"

namespace ostrya {

/// A box keeps the ranks from `low` to `high` of a column; each lies in a range.
struct Sides {
    Rank low_min = 0, low_max = 0;
    Rank high_min = 0, high_max = 0;

    bool are_fixed() const { return low_min == low_max && high_min == high_max; }
    bool operator==(const Sides&) const = default;
};

/// Rows that are in some boxes of a state and not in others, with their ranks in the
/// columns that are still open.
struct UndecidedRows {
    explicit UndecidedRows(MemoryBudget& memory)
        : groups(memory), worth(memory), ranks(memory), flags(memory) {}

    std::uint32_t size = 0, stride = 0;
    Vector<std::uint32_t> groups;
    Vector<Price> worth;
    Vector<Rank> ranks;          // column after column, `stride` apart
    Vector<std::uint8_t> flags;  // scratch

    /// Start over with room for this many.
    void reset(std::size_t most_rows, std::size_t n_columns) {
        size = 0;
        stride = static_cast<std::uint32_t>(most_rows);
        if (groups.size() < most_rows) groups.resize(most_rows);
        if (worth.size() < most_rows) worth.resize(most_rows);
        if (ranks.size() < most_rows * n_columns) ranks.resize(most_rows * n_columns);
    }
    std::int64_t total() const;
    Rank* column(std::size_t at) { return ranks.data() + at * stride; }
    const Rank* column(std::size_t at) const { return ranks.data() + at * stride; }
};

/// A set of boxes. Those rows that all of them hold are decided; their groups lie on a
/// stack that the states of one branch share.
struct BoxState {
    explicit BoxState(MemoryBudget& memory)
        : sides(memory), open(memory), gains(memory), losses(memory) {}

    /// Undecided rows in open columns.
    std::int64_t n_cells() const {
        return (std::int64_t{gains.size} + losses.size) *
               static_cast<std::int64_t>(open.size());
    }
    /// Drop the rows that no box holds any more; those that all hold go to `decided`.
    void classify(Vector<std::uint32_t>& decided, Vector<std::uint32_t>& scratch);
    void drop_fixed_columns();
    /// Those boxes of another state whose chosen side moved in by `step` or more, or
    /// by less; rows are not classified yet.
    void become_half(const BoxState& whole, bool moves_far);

    Vector<Sides> sides;  // per column
    Vector<Rank> open;    // columns whose sides are not fixed
    UndecidedRows gains;  // rows worth more than nothing
    UndecidedRows losses;
    std::int64_t decided = 0;     // worth of the rows that all boxes hold
    std::int64_t most = 0;        // no box is worth more
    std::uint32_t n_decided = 0;  // height of the stack of decided groups
    std::uint64_t version = 0;    // of the worths above

    // The halves it is parted into: one side of one column, moved in by less than
    // `step` or by at least that.
    int n_visited = 0;
    Rank column = 0, step = 0;
    bool is_low = false;

private:
    void classify(UndecidedRows& rows, Vector<std::uint32_t>& decided,
                  Vector<std::uint32_t>& scratch);
};

}  // namespace ostrya
