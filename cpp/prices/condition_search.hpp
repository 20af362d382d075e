/// All boxes worth more than a threshold, where cuts are few: condition by condition.
///
/// A state is a set of boxes: all those that some conditions, chosen so far, and any of
/// those still allowed make. It holds its gains (rows worth more than nothing) and its
/// losses, as far as the chosen conditions hold for them. Of every state:
///  - a condition that no gain fails is chosen at once: it can only rid us of losses;
///  - one that costs so many gains that the rest is not above the threshold is not
///    allowed any more;
///  - a loss that fails no allowed condition is in all boxes of the state.
/// These feed each other, so they are repeated until nothing changes. Then one
/// condition is chosen, or not allowed; and where it is not, a state all of whose gains
/// satisfy it is given up: its boxes are worth no more than with the condition, where
/// they were searched before. (So every set of gains is met once, as in the search for
/// closed sets: Uno, Kiyomi and Arimura 2004, FIMI, "LCM ver. 2".)
///
/// The condition to part on is one that costs many gains when chosen and forces many
/// losses into the box when not: only those losses count that fail fewest of the
/// allowed conditions (one, two, three, or else all). docs/prices.md has other choices
/// measured.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/kernels.hpp"
#include "prices/condition_table.hpp"
#include "prices/exhaustive_search.hpp"
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

class ConditionSearch : public ExhaustiveSearch {
public:
    ConditionSearch(const RankTable& table, MemoryBudget& memory);

private:
    void push_root() override;
    Verdict step() override;
    ConditionState& push();
    Verdict look_at(ConditionState& state);
    void refresh(ConditionState& state);
    void pack_all(ConditionState& state, const BitSet& kept);
    void pack_if_few(ConditionState& state);
    static void use_own(ConditionState& state);
    void sum_beyond(ConditionState& state, std::int32_t flip);
    void list_allowed(const ConditionState& state);
    bool part_conditions(ConditionState& state);
    bool part_losses(ConditionState& state);
    std::uint32_t choose(const ConditionState& state);
    void visit(const ConditionState& state);
    void keep_losses(const ConditionState& state, ConditionState& part);
    void hand_out(const ConditionState& state, std::int64_t worth);
    std::int64_t lost(const ConditionState& state, std::uint32_t condition) const {
        const std::int64_t beyond = state.beyond[condition / 2];
        return condition % 2 == 0 ? beyond : state.gained - beyond;
    }

    std::uint32_t n_groups_;
    ConditionTable table_;
    const ConditionKernels& kernels_;

    MemoryBudget& memory_;
    std::vector<std::unique_ptr<ConditionState>> states_;
    Vector<std::uint32_t> forced_;  // stack, shared by the states of a branch

    // Scratch.
    Vector<std::uint32_t> rows_;    // gains
    Vector<std::uint64_t> kept_;    // groups that are losses
    Vector<std::uint64_t> free_;    // conditions that no gain fails
    Vector<std::uint64_t> cheap_;   // conditions that cost few gains
    Vector<std::uint32_t> listed_;  // allowed conditions
    Vector<std::uint64_t> counts_;  // rows that fail one of these, two, three, four
    Vector<std::uint64_t> scores_;  // of these
};

}  // namespace ostrya
