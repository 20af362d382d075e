/// One search as Python calls it: watched, within its limits, without the interpreter
/// lock.
#pragma once

#include <utility>

#include "bind/resident_memory.hpp"
#include "bind/watcher.hpp"
#include "data/stop_check.hpp"

namespace ostrya {

class WatchedCall {
public:
    WatchedCall(const values::Limits& limits, Callback on_progress,
                Question is_interrupted)
        : stop(limits.time_limit),
          watcher(stop, progress, std::move(on_progress), std::move(is_interrupted)),
          memory_limit_(limits.memory_limit) {
        watcher.look();  // for a Ctrl-C that came in before
    }
    WatchedCall(const WatchedCall&) = delete;
    WatchedCall& operator=(const WatchedCall&) = delete;

    /// Run a search, then raise what a callback of the caller raised meanwhile, if any.
    template <class Search>
    void run(const Search& search) {
        {
            const nb::gil_scoped_release unlocked;
            stop.look_now_and_then([&] { watcher.look(); });
            set_search_limit(memory, memory_limit_);
            search();
        }
        watcher.raise_kept_error();
    }

    /// For the preparation of rows, which is within the same limits.
    StopCheck stop_check() {
        return [this] { return is_out_of_limits(memory, stop); };
    }

    StopSign stop;
    Progress progress;
    Watcher watcher;
    MemoryBudget memory;

private:
    std::optional<std::uint64_t> memory_limit_;
};

}  // namespace ostrya
