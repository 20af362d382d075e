#include "prices/condition_search.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ostrya {
ConditionSearch::ConditionSearch(std::shared_ptr<const ConditionTable> table,
                                 MemoryBudget& memory)
    : ExhaustiveSearch(memory),
      shared_table_(std::move(table)),
      table_(*shared_table_),
      n_groups_(table_.n_groups),
      kernels_(condition_kernels()),
      memory_(memory),
      forced_(memory),
      rows_(memory),
      kept_(memory),
      free_((2 * table_.n_cuts + 63) / 64, memory),
      cheap_(free_.size(), memory),
      allowed_(table_, memory) {}

ConditionState& ConditionSearch::push() {
    if (states_.size() == depth_) {
        states_.push_back(std::make_unique<ConditionState>(memory_));
    }
    ConditionState& state = *states_[depth_++];
    state.has_branched = false;
    return state;
}

void ConditionSearch::push_root() {
    const Vector<Price>& worth = *worth_;
    assert(worth.size() == n_groups_);
    ConditionState& root = push();
    root.gains.assign(table_.n_words, 0);
    kept_.assign(table_.n_words, 0);
    for (std::uint32_t group = 0; group < n_groups_; ++group) {
        if (worth[group] != 0) set(worth[group] > 0 ? root.gains : kept_, group);
    }
    root.allowed.assign(free_.size(), 0);
    for (std::uint32_t condition = 0; condition < 2 * table_.n_cuts; ++condition) {
        set(root.allowed, condition);
    }
    root.refused.assign(free_.size(), 0);
    pack_all(root, kept_);
    root.n_forced = 0;
    root.version = 0;
}

ExhaustiveSearch::Verdict ConditionSearch::step() {
    ConditionState& state = *states_[depth_ - 1];
    forced_.resize(state.n_forced);
    if (std::exchange(state.has_branched, false)) {
        reset(state.allowed, state.condition);
        set(state.refused, state.condition);
    }
    const Verdict verdict = look_at(state);
    if (verdict != Verdict::open) return verdict;
    state.condition = allowed_.choose(state);
    work_ -= allowed_.work(*state.packed);
    state.has_branched = true;
    visit(state);
    return Verdict::open;
}

/// Narrow a state down, and see whether its largest box is worth too much.
ExhaustiveSearch::Verdict ConditionSearch::look_at(ConditionState& state) {
    if (state.version != version_) refresh(state);
    do {
        if (!part_conditions(state)) return Verdict::nothing;
    } while (part_losses(state));
    const std::int64_t outer = state.gained + state.forced + state.undecided;
    if (outer > threshold_) {
        hand_out(state, outer);
        return Verdict::box;
    }
    assert(state.undecided < 0);
    return Verdict::open;
}

void ConditionSearch::hand_out(const ConditionState& state, std::int64_t worth) {
    box_.assign(forced_.begin(), forced_.end());
    for_each_bit(state.gains, [&](std::uint32_t group) { box_.push_back(group); });
    for_each_bit(state.losses, [&](std::uint32_t loss) {
        box_.push_back(state.packed->groups[loss]);
    });
    excess_ = worth - threshold_;
}

/// Bring a state up to date with the worths: gains may have become losses.
void ConditionSearch::refresh(ConditionState& state) {
    const Vector<Price>& worth = *worth_;
    state.gained = state.undecided = state.forced = 0;
    state.beyond.assign(table_.stride, 0);
    kept_.assign(table_.n_words, 0);
    rows_.clear();
    bool are_more = false;
    for (std::size_t at = 0; at < state.gains.size(); ++at) {
        for_each_bit(state.gains[at], at, [&](std::uint32_t group) {
            if (worth[group] > 0) {
                state.gained += worth[group];
                rows_.push_back(group);
            } else {
                reset(state.gains, group);
                if (worth[group] == 0) return;
                set(kept_, group);
                state.undecided += worth[group];
                are_more = true;
            }
        });
    }
    sum_beyond(state, 0);
    for_each_bit(state.losses, [&](std::uint32_t loss) {
        const std::uint32_t group = state.packed->groups[loss];
        set(kept_, group);
        state.undecided += worth[group];
    });
    if (are_more) pack_all(state, kept_);
    for (const std::uint32_t group : forced_) state.forced += worth[group];
    work_ -= std::int64_t{n_groups_} * (table_.n_cuts / 16 + 1);
    state.version = version_;
}

/// Add what the rows just listed are worth to what is beyond each cut, or take it away.
void ConditionSearch::sum_beyond(ConditionState& state, std::int32_t flip) {
    kernels_.sum_beyond(table_.masks(), rows_.data(), rows_.size(), worth_->data(),
                        flip, state.beyond.data());
}

/// Choose what is free and drop what costs too much; false where no box of the state
/// can be worth more than the threshold, or its boxes were met before.
bool ConditionSearch::part_conditions(ConditionState& state) {
    const std::int64_t slack = state.gained + state.forced - threshold_;
    if (slack <= 0) return false;
    kernels_.sort_conditions(
        state.beyond.data(), table_.n_cuts, static_cast<std::int32_t>(state.gained),
        static_cast<std::int32_t>(slack), free_.data(), cheap_.data());
    work_ -= table_.n_cuts / 2 + 16;
    for (std::size_t word = 0; word < free_.size(); ++word) {
        if (state.refused[word] & free_[word]) return false;
        const std::uint64_t allowed = state.allowed[word];
        state.allowed[word] = allowed & cheap_[word] & ~free_[word];
        free_[word] &= allowed;
    }
    return true;
}

/// Drop the losses that free conditions rid us of, and force those that nothing does;
/// true where that forced any, so that less is allowed.
bool ConditionSearch::part_losses(ConditionState& state) {
    const Vector<Price>& worth = *worth_;
    const PackedLosses& packed = *state.packed;
    const std::size_t n_words = packed.n_words;
    for_each_bit(free_, [&](std::uint32_t condition) {
        const std::uint64_t* const failed = packed.failing(condition);
        for (std::size_t word = 0; word < n_words; ++word) {
            for_each_bit(state.losses[word] & failed[word], word,
                         [&](std::uint32_t loss) {
                             state.undecided -= worth[packed.groups[loss]];
                         });
            state.losses[word] &= ~failed[word];
        }
    });
    allowed_.list(state);
    allowed_.count_failures(packed);
    work_ -= allowed_.work(packed);
    const std::size_t before = forced_.size();
    for (std::size_t word = 0; word < n_words; ++word) {
        const std::uint64_t now = state.losses[word] & ~allowed_.failing(word);
        for_each_bit(now, word, [&](std::uint32_t loss) {
            const std::uint32_t group = packed.groups[loss];
            forced_.push_back(group);
            state.forced += worth[group];
            state.undecided -= worth[group];
        });
        state.losses[word] &= ~now;
    }
    state.n_forced = static_cast<std::uint32_t>(forced_.size());
    return forced_.size() > before;
}

/// Give a state losses of its own: these groups.
void ConditionSearch::pack_all(ConditionState& state, const BitSet& kept) {
    allowed_.list(state);
    const auto same = [](std::uint32_t group) { return group; };
    state.own.pack(table_.rows(), kept, same, allowed_.listed(), 2 * table_.n_cuts);
    work_ -= static_cast<std::int64_t>(allowed_.listed().size() * table_.n_words);
    state.use_own();
}

/// Where most losses of the states above are gone, pack the others anew.
void ConditionSearch::pack_if_few(ConditionState& state) {
    const PackedLosses& above = *state.packed;
    const std::uint32_t n = count_rows(state.losses.data(), state.losses.size());
    if (2 * PackedLosses::words_of(n) > above.n_words) return;
    allowed_.list(state);
    const auto group_of = [&](std::uint32_t loss) { return above.groups[loss]; };
    state.own.pack(above.rows(), state.losses, group_of, allowed_.listed(),
                   2 * table_.n_cuts);
    work_ -= static_cast<std::int64_t>(allowed_.listed().size() * above.n_words);
    state.use_own();
}

/// Go on with the boxes that have the chosen condition.
void ConditionSearch::visit(const ConditionState& state) {
    ConditionState& part = push();
    part.become_part(state, *worth_);
    part.gains.resize(table_.n_words);
    std::size_t n_in = 0;
    const std::uint64_t* const failed = table_.failing(state.condition);
    const std::size_t n_out = kernels_.part_rows(
        state.gains.data(), failed, table_.n_words, part.gains.data(), &n_in);
    pack_if_few(part);
    // What is beyond each cut, from the rows that are left out or from those that stay.
    const bool is_less_out = n_out < n_in;
    if (is_less_out) {
        part.beyond = state.beyond;
    } else {
        part.beyond.assign(table_.stride, 0);
    }
    rows_.clear();
    for (std::size_t word = 0; word < table_.n_words; ++word) {
        for_each_bit(is_less_out ? state.gains[word] & failed[word] : part.gains[word],
                     word, [&](std::uint32_t group) { rows_.push_back(group); });
    }
    sum_beyond(part, is_less_out ? -1 : 0);
    work_ -=
        static_cast<std::int64_t>(std::min(n_in, n_out) * (table_.n_cuts / 16 + 2) +
                                  2 * table_.n_words + 2 * state.packed->n_words);
}

}  // namespace ostrya
