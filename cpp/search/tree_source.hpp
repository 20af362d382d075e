/// Trees that an exact search would find late by itself, from another kind of search.
///
/// Branch and bound that goes by lower bounds may spend a long time among mediocre
/// trees. Another search finds good ones at once, and proves nothing. It runs in turns:
/// from its first turn on it has always had an eighth of the time spent, so that what
/// it finds within a tenth of a time limit is there at the end of it.
#pragma once

#include <cstdint>

#include "search/bracket.hpp"
#include "search/subtree_pool.hpp"
#include "tuning/tuning.hpp"
#include "watch/stop.hpp"

namespace ostrya {

class TreeSource {
public:
    virtual ~TreeSource() = default;

    /// Search on for about `nanoseconds`, as counted by `stop`, and lower `best` to the
    /// best tree found, which is made in `pool`. Returns whether a later call may find
    /// a better one.
    virtual bool improve(std::uint64_t nanoseconds, StopSign& stop, SubtreePool& pool,
                         Bracket& best) = 0;
};

/// When a source has its turns. They go by counted time, so that they are the same on
/// every machine.
class TreeTurns {
public:
    /// Without a source there are no turns.
    TreeTurns(TreeSource* source, const Tuning::Incumbents& tuning, StopSign& stop,
              SubtreePool& pool, const MemoryBudget& memory)
        : source_(source),
          tuning_(tuning),
          stop_(stop),
          pool_(pool),
          memory_(memory),
          next_(tuning.first_turn) {}

    /// Have a turn if it is due; returns whether there is a better tree.
    bool keep_pace(Bracket& best) {
        if (source_ == nullptr || stop_.counted.nanoseconds() < next_) return false;
        return take_turn(best);
    }

private:
    /// Between turns the source's share of the time falls from a seventh to an eighth.
    /// What it begins with, and what it does again after a pause, takes some of it.
    bool take_turn(Bracket& best) {
        if (stop_.has_stopped()) return false;
        const std::uint64_t before = stop_.counted.nanoseconds();
        next_ = before + before / tuning_.turn_part;
        // The search needs the rest of the memory itself.
        const std::uint64_t most = before / tuning_.share_part;
        if (!memory_.allows(memory_.used()) || most <= used_) return false;
        const Cost cost = best.upper;
        if (!source_->improve(most - used_, stop_, pool_, best)) {
            source_ = nullptr;
        }
        used_ += stop_.counted.nanoseconds() - before;
        return best.upper < cost;
    }

    TreeSource* source_;
    const Tuning::Incumbents& tuning_;
    StopSign& stop_;
    SubtreePool& pool_;
    const MemoryBudget& memory_;
    std::uint64_t next_, used_ = 0;
};

}  // namespace ostrya
