#include "prices/box_search.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace ostrya {
namespace {

enum : std::uint8_t { not_inner = 1, not_outer = 2 };

/// How far a rank lies inside a side that moves in from the low or the high end.
inline std::uint32_t step_of(const Sides& sides, Rank rank, bool is_low) {
    return static_cast<std::uint32_t>(is_low ? rank - sides.low_min
                                             : sides.high_max - rank);
}

/// How many places a side can move in.
inline std::uint32_t room_of(const Sides& sides, bool is_low) {
    return static_cast<std::uint32_t>(is_low ? sides.low_max - sides.low_min
                                             : sides.high_max - sides.high_min);
}

std::int64_t sum_of(const UndecidedRows& rows) {
    return std::accumulate(rows.worth.begin(), rows.worth.begin() + rows.size,
                           std::int64_t{0});
}

}  // namespace

bool BoxSearch::can_search(const Problem& problem) {
    return problem.splits.size() <= std::numeric_limits<Rank>::max() &&
           std::ranges::all_of(problem.splits, [](const SplitColumn& column) {
               return column.n_ranks() <= std::numeric_limits<Rank>::max();
           });
}

BoxSearch::BoxSearch(const Problem& problem, MemoryBudget& memory)
    : n_columns_(static_cast<std::uint32_t>(problem.splits.size())),
      n_groups_(static_cast<std::uint32_t>(problem.n_groups)),
      ranks_(memory),
      last_(memory),
      memory_(memory),
      decided_(memory),
      box_(memory),
      groups_(memory),
      kept_(memory),
      low_(memory),
      high_(memory),
      flags_(memory) {
    assert(can_search(problem));
    ranks_.reserve(std::size_t{n_columns_} * n_groups_);
    for (const SplitColumn& column : problem.splits) {
        for (const std::uint32_t rank : column.ranks) {
            ranks_.push_back(static_cast<Rank>(rank));
        }
        last_.push_back(static_cast<Rank>(column.cuts.size()));
    }
    const std::size_t most = last_.empty() ? 0 : *std::ranges::max_element(last_);
    low_.resize(most + 1);
    high_.resize(most + 1);
    flags_.resize(n_groups_);
}

BoxState& BoxSearch::push() {
    if (states_.size() == depth_) states_.push_back(std::make_unique<BoxState>(memory_));
    return *states_[depth_++];
}

void BoxSearch::start(const Vector<Price>& worth, std::int64_t threshold) {
    assert(worth.size() == n_groups_);
    worth_ = &worth;
    threshold_ = threshold;
    ++version_;
    depth_ = 0;
    BoxState& root = push();
    root.sides.clear();
    root.open.clear();
    for (std::uint32_t column = 0; column < n_columns_; ++column) {
        root.sides.push_back({0, last_[column], 0, last_[column]});
        if (last_[column] > 0) root.open.push_back(static_cast<Rank>(column));
    }
    root.n_decided = 0;
    root.n_visited = 0;
    groups_.resize(n_groups_);
    std::iota(groups_.begin(), groups_.end(), 0);
    fill(root, groups_);
}

/// Sort undecided groups into gains and losses, by what they are worth now.
void BoxSearch::fill(BoxState& state, const Vector<std::uint32_t>& groups) {
    const Vector<Price>& worth = *worth_;
    const auto n_gains = static_cast<std::size_t>(std::ranges::count_if(
        groups, [&](std::uint32_t group) { return worth[group] > 0; }));
    state.gains.reset(n_gains, state.open.size());
    state.losses.reset(groups.size() - n_gains, state.open.size());
    for (const std::uint32_t group : groups) {
        UndecidedRows& rows = worth[group] > 0 ? state.gains : state.losses;
        rows.groups[rows.size] = group;
        rows.worth[rows.size++] = worth[group];
    }
    for (UndecidedRows* rows : {&state.gains, &state.losses}) {
        for (std::size_t at = 0; at < state.open.size(); ++at) {
            const Rank* from = ranks_.data() + std::size_t{state.open[at]} * n_groups_;
            Rank* to = rows->column(at);
            for (std::uint32_t row = 0; row < rows->size; ++row) {
                to[row] = from[rows->groups[row]];
            }
        }
    }
    state.decided = 0;
    for (std::uint32_t at = 0; at < state.n_decided; ++at) {
        state.decided += worth[decided_[at]];
    }
    state.most = state.decided + sum_of(state.gains);
    state.version = version_;
    work_ -= static_cast<std::int64_t>(groups.size() * (state.open.size() + 1));
}

void BoxSearch::refresh(BoxState& state) {
    if (state.version == version_) return;
    groups_.clear();
    for (const UndecidedRows* rows : {&state.gains, &state.losses}) {
        groups_.insert(groups_.end(), rows->groups.begin(),
                       rows->groups.begin() + rows->size);
    }
    fill(state, groups_);
}

BoxSearch::Outcome BoxSearch::run(std::int64_t& work, StopSign& stop) {
    work_ = work;
    Outcome outcome = Outcome::none_left;
    while (depth_ > 0) {
        if (work_ <= 0 || stop.is_up_before(64)) {
            outcome = Outcome::paused;
            break;
        }
        BoxState& state = *states_[depth_ - 1];
        decided_.resize(state.n_decided);
        if (state.n_visited == 2) {
            --depth_;
        } else if (state.n_visited == 1) {
            state.n_visited = 2;
            visit_half(state, true);
        } else {
            const Verdict verdict = look_at(state);
            if (verdict == Verdict::box) {
                outcome = Outcome::found;
                break;
            }
            if (verdict == Verdict::nothing) {
                --depth_;
                continue;
            }
            choose_halves(state);
            state.n_visited = 1;
            visit_half(state, false);
        }
    }
    work = work_;
    return outcome;
}

/// Narrow a state down, and see whether its outer box is worth too much.
BoxSearch::Verdict BoxSearch::look_at(BoxState& state) {
    refresh(state);
    if (!tighten(state)) return Verdict::nothing;
    const std::int64_t outer = state.most + sum_of(state.losses);
    if (outer <= threshold_) return Verdict::open;
    box_.assign(decided_.begin(), decided_.end());
    for (const UndecidedRows* rows : {&state.gains, &state.losses}) {
        box_.insert(box_.end(), rows->groups.begin(), rows->groups.begin() + rows->size);
    }
    excess_ = outer - threshold_;
    return Verdict::box;
}

/// Move sides until nothing moves; false when no box can be worth more than the
/// threshold.
bool BoxSearch::tighten(BoxState& state) {
    while (state.most > threshold_) {
        const std::int64_t slack = state.most - threshold_;
        bool has_moved = false;
        for (std::size_t at = 0; at < state.open.size(); ++at) {
            Sides& sides = state.sides[state.open[at]];
            has_moved |= tighten_column(state.gains, at, slack, sides);
        }
        if (!has_moved) return true;
        classify(state);
        drop_fixed_columns(state);
    }
    return false;
}

/// Move the sides of one column; gains given up must stay below `slack`.
bool BoxSearch::tighten_column(const UndecidedRows& gains, std::size_t at,
                               std::int64_t slack, Sides& sides) {
    const Sides before = sides;
    const std::uint32_t low_room = room_of(sides, true), high_room = room_of(sides, false);
    std::fill_n(low_.begin(), low_room + 1, 0);
    std::fill_n(high_.begin(), high_room + 1, 0);
    const Rank* ranks = gains.column(at);
    for (std::uint32_t row = 0; row < gains.size; ++row) {
        const Price worth = gains.worth[row];
        low_[std::min(step_of(before, ranks[row], true), low_room)] += worth;
        high_[std::min(step_of(before, ranks[row], false), high_room)] += worth;
    }
    work_ -= gains.size + 8;
    const auto range = [slack](const Vector<std::int64_t>& given_up, std::uint32_t room) {
        std::uint32_t least = 0;
        while (least < room && given_up[least] == 0) ++least;
        std::uint32_t most = least;
        for (std::int64_t sum = 0; most < room; ++most) {
            sum += given_up[most];
            if (sum >= slack) break;
        }
        return std::pair(least, most);
    };
    const auto [low_least, low_most] = range(low_, low_room);
    const auto [high_least, high_most] = range(high_, high_room);
    sides.low_max = static_cast<Rank>(before.low_min + low_most);
    sides.low_min = static_cast<Rank>(before.low_min + low_least);
    sides.high_min = static_cast<Rank>(before.high_max - high_most);
    sides.high_max = static_cast<Rank>(before.high_max - high_least);
    // A box holds one rank at least.
    sides.low_max = std::max(sides.low_min, std::min(sides.low_max, sides.high_max));
    sides.high_min = std::min(sides.high_max, std::max(sides.high_min, sides.low_min));
    return sides != before;
}

/// Drop the rows that no box holds, and decide those that all hold.
void BoxSearch::classify(BoxState& state) {
    classify(state, state.gains);
    classify(state, state.losses);
    state.n_decided = static_cast<std::uint32_t>(decided_.size());
    state.most = state.decided + sum_of(state.gains);
}

void BoxSearch::classify(BoxState& state, UndecidedRows& rows) {
    std::fill_n(flags_.begin(), rows.size, std::uint8_t{0});
    for (std::size_t at = 0; at < state.open.size(); ++at) {
        const Sides sides = state.sides[state.open[at]];
        const Rank* ranks = rows.column(at);
        std::uint8_t* flags = flags_.data();
        for (std::uint32_t row = 0; row < rows.size; ++row) {
            const Rank rank = ranks[row];
            const bool is_out = (rank < sides.low_min) | (rank > sides.high_max);
            const bool is_in = (rank >= sides.low_max) & (rank <= sides.high_min);
            flags[row] |= static_cast<std::uint8_t>(is_out * not_outer | !is_in);
        }
    }
    work_ -= static_cast<std::int64_t>(rows.size) *
             static_cast<std::int64_t>(state.open.size()) / 4;
    kept_.clear();
    for (std::uint32_t row = 0; row < rows.size; ++row) {
        if ((flags_[row] & not_outer) != 0) continue;
        if ((flags_[row] & not_inner) != 0) {
            kept_.push_back(row);
        } else {
            decided_.push_back(rows.groups[row]);
            state.decided += rows.worth[row];
        }
    }
    if (kept_.size() == rows.size) return;
    rows.size = static_cast<std::uint32_t>(kept_.size());
    for (std::uint32_t row = 0; row < rows.size; ++row) {
        rows.groups[row] = rows.groups[kept_[row]];
        rows.worth[row] = rows.worth[kept_[row]];
    }
    for (std::size_t at = 0; at < state.open.size(); ++at) {
        Rank* ranks = rows.column(at);
        for (std::uint32_t row = 0; row < rows.size; ++row) ranks[row] = ranks[kept_[row]];
    }
}

void BoxSearch::drop_fixed_columns(BoxState& state) {
    std::size_t n = 0;
    for (std::size_t at = 0; at < state.open.size(); ++at) {
        if (state.sides[state.open[at]].are_fixed()) continue;
        if (n < at) {
            state.open[n] = state.open[at];
            for (UndecidedRows* rows : {&state.gains, &state.losses}) {
                std::copy_n(rows->column(at), rows->size, rows->column(n));
            }
        }
        ++n;
    }
    state.open.resize(n);
}

/// Halve the range that leaves most weight undecided.
void BoxSearch::choose_halves(BoxState& state) {
    std::int64_t heaviest = -1;
    for (std::size_t at = 0; at < state.open.size(); ++at) {
        const Sides sides = state.sides[state.open[at]];
        for (const bool is_low : {true, false}) {
            const std::uint32_t room = room_of(sides, is_low);
            if (room == 0) continue;
            std::fill_n(low_.begin(), room + 1, 0);
            const Rank* gains = state.gains.column(at);
            for (std::uint32_t row = 0; row < state.gains.size; ++row) {
                low_[std::min(step_of(sides, gains[row], is_low), room)] +=
                    state.gains.worth[row];
            }
            const Rank* losses = state.losses.column(at);
            for (std::uint32_t row = 0; row < state.losses.size; ++row) {
                low_[std::min(step_of(sides, losses[row], is_low), room)] -=
                    state.losses.worth[row];
            }
            const std::int64_t weight =
                std::accumulate(low_.begin(), low_.begin() + room, std::int64_t{0});
            if (weight <= heaviest) continue;
            heaviest = weight;
            std::uint32_t step = 0;
            for (std::int64_t sum = 0; step + 1 < room; ++step) {
                sum += low_[step];
                if (2 * sum >= weight) break;
            }
            state.column = state.open[at];
            state.is_low = is_low;
            state.step = static_cast<Rank>(step + 1);
        }
    }
    work_ -= static_cast<std::int64_t>(state.gains.size + state.losses.size + 16) *
             static_cast<std::int64_t>(2 * state.open.size());
    assert(heaviest >= 0);
}

/// Go on with the boxes whose chosen side moved in by `step` or more, or by less.
void BoxSearch::visit_half(const BoxState& state, bool moves_far) {
    BoxState& half = push();
    const std::size_t n_open = state.open.size();
    half.sides = state.sides;
    half.open = state.open;
    half.decided = state.decided;
    half.n_decided = state.n_decided;
    half.version = state.version;
    half.n_visited = 0;
    const auto copy = [n_open](const UndecidedRows& from, UndecidedRows& to) {
        to.reset(from.size, n_open);
        to.size = from.size;
        std::copy_n(from.groups.begin(), from.size, to.groups.begin());
        std::copy_n(from.worth.begin(), from.size, to.worth.begin());
        for (std::size_t at = 0; at < n_open; ++at) {
            std::copy_n(from.column(at), from.size, to.column(at));
        }
    };
    copy(state.gains, half.gains);
    copy(state.losses, half.losses);
    work_ -= static_cast<std::int64_t>((state.gains.size + state.losses.size) * n_open) / 8;
    Sides& sides = half.sides[state.column];
    if (state.is_low) {
        if (moves_far) {
            sides.low_min = static_cast<Rank>(sides.low_min + state.step);
            sides.high_min = std::max(sides.high_min, sides.low_min);
        } else {
            sides.low_max = static_cast<Rank>(sides.low_min + state.step - 1);
        }
    } else {
        if (moves_far) {
            sides.high_max = static_cast<Rank>(sides.high_max - state.step);
            sides.low_max = std::min(sides.low_max, sides.high_max);
        } else {
            sides.high_min = static_cast<Rank>(sides.high_max - state.step + 1);
        }
    }
    classify(half);
}

}  // namespace ostrya
