/// A loop over items that do not depend on each other, shared by several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>

#include "threads/thread_group.hpp"

namespace ostrya {

class SharedLoop {
public:
    /// Tells whether to come back with what there is; once it does it always will.
    using StopCheck = std::function<bool()>;

    /// `is_stopped` is asked by the thread alone that runs the loop.
    SharedLoop(std::size_t n_threads, StopCheck is_stopped)
        : n_threads_(n_threads), is_stopped_(std::move(is_stopped)) {}

    const StopCheck& is_stopped() const { return is_stopped_; }

    /// Work on the items from 0 to n - 1: each thread, this one among them, takes the
    /// next one that is left. `make_worker(is_stopped)` makes what a thread calls with
    /// each of its items; it returns false if it was stopped on the way. False if the
    /// loop was stopped; what a thread throws is thrown.
    template <class MakeWorker>
    bool run(std::size_t n_items, const MakeWorker& make_worker) const {
        std::atomic<std::size_t> next = 0, n_finished = 0;
        std::atomic<bool> is_over = false;
        const auto work = [&](const StopCheck& is_stopped) {
            auto worker = make_worker(is_stopped);
            for (std::size_t item = next++; item < n_items && !is_over; item = next++) {
                if (is_stopped() || !worker(item)) is_over = true;
            }
        };
        const auto end = [&] { is_over = true; };
        ThreadGroup others(end);
        const std::size_t n_others =
            n_items <= 1 ? 0 : others.start(n_threads_ - 1, [&](std::size_t) {
                work([&] { return is_over.load(); });
                ++n_finished;
            });
        work(is_stopped_);
        while (n_finished < n_others && !is_over) {
            if (is_stopped_()) is_over = true;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        const bool is_whole = !is_over;
        others.conclude();
        return is_whole;
    }

private:
    std::size_t n_threads_;
    StopCheck is_stopped_;
};

}  // namespace ostrya
