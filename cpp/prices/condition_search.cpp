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
      listed_(memory),
      counts_(std::size_t{4} * table_.n_words, memory),
      scores_(std::size_t{2} * table_.n_cuts, memory) {}

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
    state.condition = choose(state);
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
    list_allowed(state);
    kernels_.count_failures(packed.rows(), listed_.data(), listed_.size(),
                            counts_.data());
    work_ -= static_cast<std::int64_t>((listed_.size() + 2) * n_words);
    const std::size_t before = forced_.size();
    for (std::size_t word = 0; word < n_words; ++word) {
        const std::uint64_t now = state.losses[word] & ~counts_[word];
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

void ConditionSearch::list_allowed(const ConditionState& state) {
    listed_.clear();
    for_each_bit(state.allowed,
                 [&](std::uint32_t condition) { listed_.push_back(condition); });
}

/// Give a state losses of its own: these groups.
void ConditionSearch::pack_all(ConditionState& state, const BitSet& kept) {
    list_allowed(state);
    const auto same = [](std::uint32_t group) { return group; };
    state.own.pack(table_.rows(), kept, same, listed_, 2 * table_.n_cuts);
    work_ -= static_cast<std::int64_t>(listed_.size() * table_.n_words);
    use_own(state);
}

/// Where most losses of the states above are gone, pack the others anew.
void ConditionSearch::pack_if_few(ConditionState& state) {
    const PackedLosses& above = *state.packed;
    const std::uint32_t n = count_rows(state.losses.data(), state.losses.size());
    if (2 * PackedLosses::words_of(n) > above.n_words) return;
    list_allowed(state);
    const auto group_of = [&](std::uint32_t loss) { return above.groups[loss]; };
    state.own.pack(above.rows(), state.losses, group_of, listed_, 2 * table_.n_cuts);
    work_ -= static_cast<std::int64_t>(listed_.size() * above.n_words);
    use_own(state);
}

void ConditionSearch::use_own(ConditionState& state) {
    state.packed = &state.own;
    set_first(state.losses, state.own.n_words,
              static_cast<std::uint32_t>(state.own.groups.size()));
}

/// The condition to part a state on.
std::uint32_t ConditionSearch::choose(const ConditionState& state) {
    // The losses that fail fewest of the allowed conditions: one, two, three, or more.
    const std::size_t n_words = state.packed->n_words;
    std::uint64_t* const few = counts_.data();
    std::uint64_t any = 0;
    for (std::size_t count = 1; count <= 4 && any == 0; ++count) {
        for (std::size_t word = 0; word < n_words; ++word) {
            few[word] = state.losses[word];
            if (count < 4) few[word] &= ~counts_[count * n_words + word];
            any |= few[word];
        }
    }
    kernels_.score_conditions(state.packed->rows(), listed_.data(), listed_.size(),
                              counts_.data(), scores_.data());
    work_ -= static_cast<std::int64_t>((listed_.size() + 2) * n_words);
    double most = -1;
    std::uint32_t best = 0;
    for (std::size_t at = 0; at < listed_.size(); ++at) {
        const double score = static_cast<double>(lost(state, listed_[at])) *
                             static_cast<double>(scores_[at]);
        if (score <= most) continue;
        most = score;
        best = listed_[at];
    }
    assert(most > 0);
    return best;
}

/// The losses of a state that satisfy its condition.
void ConditionSearch::keep_losses(const ConditionState& state, ConditionState& part) {
    const PackedLosses& packed = *state.packed;
    const std::uint64_t* const failed = packed.failing(state.condition);
    part.packed = &packed;
    part.losses.resize(packed.n_words);
    for (std::size_t word = 0; word < packed.n_words; ++word) {
        part.losses[word] = state.losses[word] & ~failed[word];
        for_each_bit(state.losses[word] & failed[word], word, [&](std::uint32_t loss) {
            part.undecided -= (*worth_)[packed.groups[loss]];
        });
    }
    pack_if_few(part);
}

/// Go on with the boxes that have the chosen condition.
void ConditionSearch::visit(const ConditionState& state) {
    ConditionState& part = push();
    part.allowed = state.allowed;
    reset(part.allowed, state.condition);
    part.refused = state.refused;
    part.forced = state.forced;
    part.n_forced = state.n_forced;
    part.version = state.version;
    part.gained = state.gained - lost(state, state.condition);
    part.undecided = state.undecided;
    part.gains.resize(table_.n_words);
    std::size_t n_in = 0;
    const std::uint64_t* const failed = table_.failing(state.condition);
    const std::size_t n_out = kernels_.part_rows(
        state.gains.data(), failed, table_.n_words, part.gains.data(), &n_in);
    keep_losses(state, part);
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
