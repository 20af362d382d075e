/// Runs a search on its own thread while the caller's thread looks after Python.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace ostrya {

/// Run `work` on a thread of its own. Every few milliseconds call `look`, on the
/// caller's thread; an exception of `work` is thrown again here.
inline void run_watched(const std::function<void()>& work,
                        const std::function<void()>& look) {
    std::mutex mutex;
    std::condition_variable finished;
    bool is_done = false;
    std::exception_ptr error;
    std::thread worker([&] {
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        is_done = true;
        finished.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, std::chrono::milliseconds(20),
                              [&] { return is_done; })) {
        lock.unlock();
        look();
        lock.lock();
    }
    lock.unlock();
    worker.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace ostrya
