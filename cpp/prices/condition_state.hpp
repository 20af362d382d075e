/// Many boxes at once: those that some conditions, and any of others, make.
#pragma once

#include <cstdint>

#include "memory/budget.hpp"
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
