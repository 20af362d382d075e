/// What threads tell each other of the root: bounds of its splits, and the best tree.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "search/context.hpp"
#include "search/level.hpp"
#include "search/shared_incumbent.hpp"

namespace ostrya {

template <class Sum>
class SharedRoot : public SharedIncumbent {
public:
    /// Begin with what one thread knows of the root that it has scanned.
    SharedRoot(const Level<Sum>& root, const SearchContext& context,
               const Bracket& best)
        : SharedIncumbent(best),
          work_between_exchanges_(context.tuning().search.work_between_exchanges),
          losses_(root.losses),
          bounds_(context.problem.scale, context.options.switches, context.memory) {
        bounds_.copy(root.bounds);
    }

    /// Have a root of one's own know what is known here.
    void copy_to(Level<Sum>& root) {
        const std::lock_guard held(mutex_);
        root.losses = losses_;
        root.bounds.copy(bounds_);
    }

    /// Tell what one knows of the splits and of trees, and learn what the others do.
    void exchange(SplitBounds& bounds, Bracket& best) {
        const std::lock_guard held(mutex_);
        // Together: bounds say what is yet to be found beside the best tree.
        bounds_.exchange(bounds);
        exchange_held(best);
    }

    /// The same if one has done enough since for it to be worth while: it takes as long
    /// as a look at all splits. Says whether it was.
    bool exchange_now_and_then(SplitBounds& bounds, Bracket& best, std::uint64_t work,
                               std::uint64_t& next_work) {
        if (work < next_work) return false;
        next_work = work + work_between_exchanges_;
        exchange(bounds, best);
        return true;
    }

    /// Say which column's splits a thread explores, and learn where others are: what
    /// one of them proves there may settle more of the same column.
    void enter(std::size_t thread, std::uint32_t column) {
        const std::lock_guard held(mutex_);
        if (columns_.size() <= thread) columns_.resize(thread + 1, none);
        columns_[thread] = column;
    }
    std::vector<std::uint32_t> columns_of_others(std::size_t thread) {
        const std::lock_guard held(mutex_);
        std::vector<std::uint32_t> others = columns_;
        if (thread < others.size()) others[thread] = none;
        return others;
    }

private:
    const std::uint64_t work_between_exchanges_;
    const SplitLosses<Sum> losses_;
    SplitBounds bounds_;
    std::vector<std::uint32_t> columns_;  // by thread
};

}  // namespace ostrya
