/// Many boxes at once: those that some conditions, and any of others, make.
#pragma once

#include <cstdint>

#include "memory/budget.hpp"
#include "objective/price_scale.hpp"
#include "prices/packed_losses.hpp"

namespace ostrya {

/// A set of boxes. Sets of groups and of conditions are bits.
struct ConditionState {
    explicit ConditionState(MemoryBudget& memory)
        : gains(memory),
          own(memory),
          losses(memory),
          beyond(memory),
          allowed(memory),
          refused(memory) {}

    /// What is left of another state, whose chosen condition is not allowed next.
    void become_rest(const ConditionState& whole, std::size_t n_conditions) {
        gains = whole.gains;
        own.copy(*whole.packed, n_conditions);
        packed = &own;
        losses = whole.losses;
        beyond = whole.beyond;
        allowed = whole.allowed;
        refused = whole.refused;
        gained = whole.gained;
        undecided = whole.undecided;
        forced = whole.forced;
        n_forced = whole.n_forced;
        version = whole.version;
        has_branched = true;
        condition = whole.condition;
    }

    /// The boxes of another state that have its chosen condition, but for the gains.
    void become_part(const ConditionState& whole, const Vector<Price>& worth) {
        allowed = whole.allowed;
        reset(allowed, whole.condition);
        refused = whole.refused;
        forced = whole.forced;
        n_forced = whole.n_forced;
        version = whole.version;
        gained = whole.gained - whole.lost(whole.condition);
        undecided = whole.undecided;
        packed = whole.packed;
        const PackedLosses& all = *packed;
        const std::uint64_t* const failed = all.failing(whole.condition);
        losses.resize(all.n_words);
        for (std::size_t word = 0; word < all.n_words; ++word) {
            losses[word] = whole.losses[word] & ~failed[word];
            for_each_bit(
                whole.losses[word] & failed[word], word,
                [&](std::uint32_t loss) { undecided -= worth[all.groups[loss]]; });
        }
    }

    /// Have the losses that were packed for this state, all of them.
    void use_own() {
        packed = &own;
        set_first(losses, own.n_words, static_cast<std::uint32_t>(own.groups.size()));
    }

    /// Worth of the gains that fail a condition.
    std::int64_t lost(std::uint32_t condition) const {
        const std::int64_t past_cut = beyond[condition / 2];
        return condition % 2 == 0 ? past_cut : gained - past_cut;
    }

    Vector<std::uint64_t> gains;
    PackedLosses own;
    const PackedLosses* packed = nullptr;  // its own, or those of a state above
    Vector<std::uint64_t> losses;  // of these, that some boxes hold and others do not
    Vector<std::int32_t> beyond;   // worth of the gains beyond each cut
    Vector<std::uint64_t> allowed, refused;  // conditions
    std::int64_t gained = 0;                 // worth of all gains
    std::int64_t undecided = 0;              // worth of the losses
    std::int64_t forced = 0;                 // worth of the losses in all boxes
    std::uint32_t n_forced = 0;              // height of the stack of these
    std::uint64_t version = 0;               // of the worths above
    bool has_branched = false;
    std::uint32_t condition = 0;  // that was chosen, and is not allowed next
};

}  // namespace ostrya
