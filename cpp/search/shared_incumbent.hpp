/// The best tree that any thread has found, whether the search is over, and how many
/// threads may join it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "memory/budget.hpp"
#include "search/bracket.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

/// As many threads as are wanted, or as there is memory for, where the root of the
/// first one takes so many bytes. Of the levels below, each child is smaller than its
/// parent.
inline std::size_t n_affordable_workers(std::size_t n_wanted, std::uint64_t root_bytes,
                                        const Tuning::Search& tuning,
                                        const MemoryBudget& memory) {
    const std::uint64_t bytes = tuning.levels_per_thread * root_bytes;
    std::size_t n = 0;
    while (n < n_wanted && memory.allows((n + 1) * bytes)) ++n;
    return n;
}

class SharedIncumbent {
public:
    explicit SharedIncumbent(const Bracket& best) : best_(best) {}

    /// Tell what one has found, and learn what the others have. All are
    /// notified of a better tree: less is worth looking for.
    void exchange(Bracket& best) {
        const std::lock_guard held(mutex_);
        exchange_held(best);
    }

    /// Changes when searches should return, to learn of a better tree or of the end.
    const std::atomic<std::uint64_t>& version() const { return version_; }

    /// What the threads that were started have done.
    std::atomic<std::uint64_t>& work() { return work_; }

    void end() {
        is_over_ = true;
        ++version_;
    }
    bool is_over() const { return is_over_; }

protected:
    /// The same with the lock held by whoever exchanges more than this.
    void exchange_held(Bracket& best) {
        if (best.upper < best_.upper) {
            best_.lower_to(best.upper, best.tree);
            ++version_;
        }
        best.lower_to(best_.upper, best_.tree);
    }

    std::mutex mutex_;

private:
    Bracket best_;
    std::atomic<std::uint64_t> version_ = 0;
    std::atomic<std::uint64_t> work_ = 0;
    std::atomic<bool> is_over_ = false;
};

}  // namespace ostrya
