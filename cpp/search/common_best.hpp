/// The best tree that any thread has found, and whether the search is over.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "search/bracket.hpp"

namespace ostrya {

class CommonBest {
public:
    explicit CommonBest(const Bracket& best) : best_(best) {}

    /// Tell what one has found, and learn what the others have. A better tree is news
    /// to all: less is worth looking for.
    void exchange(Bracket& best) {
        const std::lock_guard held(mutex_);
        exchange_held(best);
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

protected:
    /// The same with the lock held by whoever exchanges more than this.
    void exchange_held(Bracket& best) {
        if (best.upper < best_.upper) {
            best_.lower_to(best.upper, best.tree);
            ++news_;
        }
        best.lower_to(best_.upper, best_.tree);
    }

    std::mutex mutex_;

private:
    Bracket best_;
    std::atomic<std::uint64_t> news_ = 0;
    std::atomic<std::uint64_t> work_ = 0;
    std::atomic<bool> is_over_ = false;
};

}  // namespace ostrya
