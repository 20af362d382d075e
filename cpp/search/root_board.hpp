/// What threads tell each other of the root: bounds of its splits, and the best tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "search/bracket.hpp"
#include "search/level.hpp"

namespace ostrya {

template <class Sum>
class RootBoard {
public:
    /// Begin with what one thread knows of the root that it has scanned.
    RootBoard(const Level<Sum>& root, const CostScale& scale, const Switches& switches,
              const Bracket& best, MemoryBudget& memory)
        : losses_(root.losses), bounds_(scale, switches, memory), best_(best) {
        bounds_.copy(root.bounds);
    }

    /// Have a root of one's own know what is known here.
    void copy_to(Level<Sum>& root) {
        const std::lock_guard held(mutex_);
        root.losses = losses_;
        root.bounds.copy(bounds_);
    }

    /// Tell what one knows, and learn what the others do. A better tree is news to all:
    /// less is worth looking for.
    void exchange(SplitBounds& bounds, Bracket& best) {
        const std::lock_guard held(mutex_);
        bounds_.exchange(bounds);
        if (best.upper < best_.upper) {
            best_.lower_to(best.upper, best.tree);
            ++news_;
        }
        best.lower_to(best_.upper, best_.tree);
    }

    /// The same if one has done enough since for it to be worth while: it takes as long
    /// as a look at all splits. Says whether it was.
    bool exchange_now_and_then(SplitBounds& bounds, Bracket& best, std::uint64_t work,
                               std::uint64_t& next_work) {
        if (work < next_work) return false;
        next_work = work + work_between;
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

    /// Changes when there is news that searches should come back for.
    const std::atomic<std::uint64_t>& news() const { return news_; }

    /// What the threads that were started have done.
    std::atomic<std::uint64_t>& work() { return work_; }

    void end() {
        is_over_ = true;
        ++news_;
    }
    bool is_over() const { return is_over_; }

private:
    static constexpr std::uint64_t work_between = std::uint64_t{1} << 18;

    std::mutex mutex_;
    const SplitLosses<Sum> losses_;
    SplitBounds bounds_;
    Bracket best_;
    std::vector<std::uint32_t> columns_;  // by thread
    std::atomic<std::uint64_t> news_ = 0;
    std::atomic<std::uint64_t> work_ = 0;
    std::atomic<bool> is_over_ = false;
};

}  // namespace ostrya
