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
/// allowed conditions (one, two, three, or else all). docs/research/dual-prices.md has
/// other choices measured.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/kernels.hpp"
#include "prices/allowed_conditions.hpp"
#include "prices/condition_state.hpp"
#include "prices/condition_table.hpp"
#include "prices/exhaustive_search.hpp"

namespace ostrya {

class ConditionSearch : public ExhaustiveSearch {
public:
    ConditionSearch(std::shared_ptr<const ConditionTable> table, MemoryBudget& memory);
    std::unique_ptr<ExhaustiveSearch> another() const override {
        return std::make_unique<ConditionSearch>(shared_table_, memory_);
    }

private:
    void push_root() override;
    Verdict step() override;
    bool has_more(std::size_t) const override { return true; }
    void copy_rest(std::size_t at, ExhaustiveSearch& other) const override {
        auto& to = static_cast<ConditionSearch&>(other);
        const ConditionState& state = *states_[at];
        to.forced_.assign(forced_.begin(), forced_.begin() + state.n_forced);
        to.push().become_rest(state, std::size_t{2} * table_.n_cuts);
    }
    ConditionState& push();
    Verdict look_at(ConditionState& state);
    void refresh(ConditionState& state);
    void pack_all(ConditionState& state, const BitSet& kept);
    void pack_if_few(ConditionState& state);
    void sum_beyond(ConditionState& state, std::int32_t flip);
    bool part_conditions(ConditionState& state);
    bool part_losses(ConditionState& state);
    void visit(const ConditionState& state);
    void hand_out(const ConditionState& state, std::int64_t worth);

    std::shared_ptr<const ConditionTable> shared_table_;
    const ConditionTable& table_;
    std::uint32_t n_groups_;
    const ConditionKernels& kernels_;

    MemoryBudget& memory_;
    std::vector<std::unique_ptr<ConditionState>> states_;
    Vector<std::uint32_t> forced_;  // stack, shared by the states of a branch

    // Scratch.
    Vector<std::uint32_t> rows_;   // gains
    Vector<std::uint64_t> kept_;   // groups that are losses
    Vector<std::uint64_t> free_;   // conditions that no gain fails
    Vector<std::uint64_t> cheap_;  // conditions that cost few gains
    AllowedConditions allowed_;
};

}  // namespace ostrya
