#include "prices/box_search.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace ostrya {
namespace {

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

}  // namespace

BoxSearch::BoxSearch(const RankTable& table, MemoryBudget& memory)
    : ExhaustiveSearch(memory),
      table_(table),
      memory_(memory),
      decided_(memory),
      groups_(memory),
      kept_(memory),
      low_(table.most_ranks, memory),
      high_(table.most_ranks, memory) {}

BoxState& BoxSearch::push() {
    if (states_.size() == depth_)
        states_.push_back(std::make_unique<BoxState>(memory_));
    return *states_[depth_++];
}

void BoxSearch::push_root() {
    assert(worth_->size() == table_.n_groups);
    BoxState& root = push();
    root.sides.clear();
    root.open.clear();
    for (std::uint32_t column = 0; column < table_.n_columns; ++column) {
        root.sides.push_back({0, table_.last[column], 0, table_.last[column]});
        if (table_.last[column] > 0) root.open.push_back(static_cast<Rank>(column));
    }
    root.n_decided = 0;
    root.n_visited = 0;
    groups_.resize(table_.n_groups);
    std::iota(groups_.begin(), groups_.end(), 0);
    fill(root, groups_);
}

void BoxSearch::copy_rest(std::size_t at, ExhaustiveSearch& other) const {
    auto& to = static_cast<BoxSearch&>(other);
    const BoxState& state = *states_[at];
    to.decided_.assign(decided_.begin(), decided_.begin() + state.n_decided);
    to.push() = state;
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
            const Rank* from = table_.column(state.open[at]);
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
    state.most = state.decided + state.gains.total();
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

ExhaustiveSearch::Verdict BoxSearch::step() {
    BoxState& state = *states_[depth_ - 1];
    decided_.resize(state.n_decided);
    if (state.n_visited == 2) return Verdict::nothing;
    if (state.n_visited == 0) {
        const Verdict verdict = look_at(state);
        if (verdict != Verdict::open) return verdict;
        choose_halves(state);
    }
    visit_half(state, state.n_visited++ == 1);
    return Verdict::open;
}

/// Narrow a state down, and see whether its outer box is worth too much.
ExhaustiveSearch::Verdict BoxSearch::look_at(BoxState& state) {
    refresh(state);
    if (!tighten(state)) return Verdict::nothing;
    const std::int64_t outer = state.most + state.losses.total();
    if (outer <= threshold_) return Verdict::open;
    box_.assign(decided_.begin(), decided_.end());
    for (const UndecidedRows* rows : {&state.gains, &state.losses}) {
        box_.insert(box_.end(), rows->groups.begin(),
                    rows->groups.begin() + rows->size);
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
        state.drop_fixed_columns();
    }
    return false;
}

/// Move the sides of one column; gains given up must stay below `slack`.
bool BoxSearch::tighten_column(const UndecidedRows& gains, std::size_t at,
                               std::int64_t slack, Sides& sides) {
    const Sides before = sides;
    const std::uint32_t low_room = room_of(sides, true),
                        high_room = room_of(sides, false);
    std::fill_n(low_.begin(), low_room + 1, 0);
    std::fill_n(high_.begin(), high_room + 1, 0);
    const Rank* ranks = gains.column(at);
    for (std::uint32_t row = 0; row < gains.size; ++row) {
        const Price worth = gains.worth[row];
        low_[std::min(step_of(before, ranks[row], true), low_room)] += worth;
        high_[std::min(step_of(before, ranks[row], false), high_room)] += worth;
    }
    work_ -= gains.size + 8;
    const auto range = [slack](const Vector<std::int64_t>& given_up,
                               std::uint32_t room) {
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
    half.become_half(state, moves_far);
    work_ -= half.n_cells() / 8;
    classify(half);
}

/// Drop the rows that no box holds, and decide those that all hold.
void BoxSearch::classify(BoxState& state) {
    work_ -= state.n_cells() / 4;
    state.classify(decided_, kept_);
}

}  // namespace ostrya
