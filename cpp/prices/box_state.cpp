#include "prices/box_state.hpp"

#include <algorithm>
#include <numeric>

namespace ostrya {
namespace {

enum : std::uint8_t { not_inner = 1, not_outer = 2 };

/// Mark the rows that a column puts outside all boxes, or outside some.
void mark(const Rank* ranks, std::uint32_t n, const Sides sides, std::uint8_t* flags) {
    for (std::uint32_t row = 0; row < n; ++row) {
        const Rank rank = ranks[row];
        const bool is_out = (rank < sides.low_min) | (rank > sides.high_max);
        const bool is_in = (rank >= sides.low_max) & (rank <= sides.high_min);
        flags[row] |=
            static_cast<std::uint8_t>(is_out * not_outer | !is_in * not_inner);
    }
}

void copy_rows(const UndecidedRows& from, UndecidedRows& to, std::size_t n_columns) {
    to.reset(from.size, n_columns);
    to.size = from.size;
    std::copy_n(from.groups.begin(), from.size, to.groups.begin());
    std::copy_n(from.worth.begin(), from.size, to.worth.begin());
    for (std::size_t at = 0; at < n_columns; ++at) {
        std::copy_n(from.column(at), from.size, to.column(at));
    }
}

}  // namespace

std::int64_t UndecidedRows::total() const {
    return std::accumulate(worth.begin(), worth.begin() + size, std::int64_t{0});
}

void BoxState::classify(Vector<std::uint32_t>& groups_decided,
                        Vector<std::uint32_t>& scratch) {
    classify(gains, groups_decided, scratch);
    classify(losses, groups_decided, scratch);
    n_decided = static_cast<std::uint32_t>(groups_decided.size());
    most = decided + gains.total();
}

void BoxState::classify(UndecidedRows& rows, Vector<std::uint32_t>& groups_decided,
                        Vector<std::uint32_t>& kept) {
    rows.flags.assign(rows.size, 0);
    for (std::size_t at = 0; at < open.size(); ++at) {
        mark(rows.column(at), rows.size, sides[open[at]], rows.flags.data());
    }
    kept.clear();
    for (std::uint32_t row = 0; row < rows.size; ++row) {
        if ((rows.flags[row] & not_outer) != 0) continue;
        if ((rows.flags[row] & not_inner) != 0) {
            kept.push_back(row);
        } else {
            groups_decided.push_back(rows.groups[row]);
            decided += rows.worth[row];
        }
    }
    if (kept.size() == rows.size) return;
    rows.size = static_cast<std::uint32_t>(kept.size());
    for (std::uint32_t row = 0; row < rows.size; ++row) {
        rows.groups[row] = rows.groups[kept[row]];
        rows.worth[row] = rows.worth[kept[row]];
    }
    for (std::size_t at = 0; at < open.size(); ++at) {
        Rank* ranks = rows.column(at);
        for (std::uint32_t row = 0; row < rows.size; ++row)
            ranks[row] = ranks[kept[row]];
    }
}

void BoxState::drop_fixed_columns() {
    std::size_t n = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
        if (sides[open[at]].are_fixed()) continue;
        if (n < at) {
            open[n] = open[at];
            for (UndecidedRows* rows : {&gains, &losses}) {
                std::copy_n(rows->column(at), rows->size, rows->column(n));
            }
        }
        ++n;
    }
    open.resize(n);
}

void BoxState::become_half(const BoxState& whole, bool moves_far) {
    sides = whole.sides;
    open = whole.open;
    copy_rows(whole.gains, gains, open.size());
    copy_rows(whole.losses, losses, open.size());
    decided = whole.decided;
    n_decided = whole.n_decided;
    version = whole.version;
    n_visited = 0;
    Sides& chosen = sides[whole.column];
    if (whole.is_low && moves_far) {
        chosen.low_min = static_cast<Rank>(chosen.low_min + whole.step);
        chosen.high_min = std::max(chosen.high_min, chosen.low_min);
    } else if (whole.is_low) {
        chosen.low_max = static_cast<Rank>(chosen.low_min + whole.step - 1);
    } else if (moves_far) {
        chosen.high_max = static_cast<Rank>(chosen.high_max - whole.step);
        chosen.low_max = std::min(chosen.low_max, chosen.high_max);
    } else {
        chosen.high_min = static_cast<Rank>(chosen.high_max - whole.step + 1);
    }
}

}  // namespace ostrya
