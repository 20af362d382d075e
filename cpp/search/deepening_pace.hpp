/// When the search of small depths has its turns beside that of all trees, and how much
/// work they may take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/bracket.hpp"
#include "search/context.hpp"

namespace ostrya {

/// How far it has come, in counted work.
struct DeepeningAge {
    std::uint64_t work = 0;
    std::uint64_t next_turn = 0;
};

class DeepeningPace {
public:
    explicit DeepeningPace(const SearchContext& context);

    /// Have the first turn once the search has taken half as long as depth 3 will,
    /// where a look at the root takes so much work, and it has so many splits.
    void hurry(std::uint64_t work, std::uint64_t n_splits);

    /// Work of the search at which the next turn is due.
    std::uint64_t next_turn() const { return next_turn_; }
    void begin_turn(const Bracket& best);
    /// What the next depth may still take, in proportion to the work of the search so
    /// far; more while promising splits are left.
    std::uint64_t work_left(const Bracket& best, bool has_promising) const;
    void count(std::uint64_t work) { own_work_ += work; }
    void end_turn(const Bracket& best);

    /// What turns have taken, and when the next one is due.
    DeepeningAge age() const { return {own_work_, next_turn_}; }
    void go_on_from(const DeepeningAge& age) {
        had_turn_ |= age.work > 0;
        own_work_ += age.work;
        next_turn_ = std::max(next_turn_, age.next_turn);
    }

private:
    bool may_take_turns(std::uint32_t depth, bool is_far) const;
    bool proof_is_far(const Bracket& best) const;
    bool is_stuck(const Bracket& best) const;

    const Problem& problem_;
    const Options& options_;
    const Tuning::Deepening& tuning_;
    const StopSign& stop_;
    const ProvedDepths& depths_;
    bool had_turn_ = false;
    Cost last_lower_ = 0;  // proved of all trees at the last turn
    std::uint64_t own_work_ = 0;
    std::uint64_t next_turn_;
};

}  // namespace ostrya
