/// The conditions that a state still allows, and how many of them its losses fail.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "prices/condition_state.hpp"
#include "prices/condition_table.hpp"

namespace ostrya {

/// Filled for one state after the other; all of it is scratch.
class AllowedConditions {
public:
    AllowedConditions(const ConditionTable& table, MemoryBudget& memory)
        : kernels_(condition_kernels()),
          listed_(memory),
          counts_(std::size_t{4} * table.n_words, memory),
          scores_(std::size_t{2} * table.n_cuts, memory) {}

    void list(const ConditionState& state) {
        listed_.clear();
        for_each_bit(state.allowed,
                     [&](std::uint32_t condition) { listed_.push_back(condition); });
    }
    const Vector<std::uint32_t>& listed() const { return listed_; }

    /// Count for each loss of a state how many of those listed it fails.
    void count_failures(const PackedLosses& losses) {
        kernels_.count_failures(losses.rows(), listed_.data(), listed_.size(),
                                counts_.data());
    }
    /// The losses that fail one at least: a word of them.
    std::uint64_t failing(std::size_t word) const { return counts_[word]; }

    /// The condition to part a state on, once its failures are counted; they are not
    /// known any more then.
    std::uint32_t choose(const ConditionState& state);

    /// What counting takes, and choosing: words looked at.
    std::int64_t work(const PackedLosses& losses) const {
        return static_cast<std::int64_t>((listed_.size() + 2) * losses.n_words);
    }

private:
    const ConditionKernels& kernels_;
    Vector<std::uint32_t> listed_;
    Vector<std::uint64_t> counts_;  // losses that fail one of these, two, three, four
    Vector<std::uint64_t> scores_;  // of these
};

}  // namespace ostrya
