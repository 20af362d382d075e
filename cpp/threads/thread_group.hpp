/// Threads that work on one thing beside the thread that started them.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "threads/thread.hpp"

namespace ostrya {

class ThreadGroup {
public:
    /// `end` has all threads come back soon; it is called when they are waited for, and
    /// when one of them fails.
    explicit ThreadGroup(std::function<void()> end) : end_(std::move(end)) {}
    ~ThreadGroup() { join(); }
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;

    /// Have `n` threads call `work`, each with its number, from 0 on; how many there
    /// are: fewer where the system grants no more.
    std::size_t start(std::size_t n, std::function<void(std::size_t)> work) {
        work_ = std::move(work);
        threads_.reserve(n);
        for (std::size_t number = 0; number < n; ++number) {
            try {
                threads_.emplace_back([this, number] { run(number); });
            } catch (const std::system_error&) {
                break;
            }
        }
        return threads_.size();
    }

    /// Have all threads end, and wait for them. Safe to call twice.
    void join() noexcept {
        end_();
        for (Thread& thread : threads_) thread.join();
        threads_.clear();
    }

    /// The same; what one of them threw is thrown.
    void conclude() {
        join();
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    void run(std::size_t number) noexcept {
        try {
            work_(number);
        } catch (...) {
            {
                const std::lock_guard held(mutex_);
                if (!failure_) failure_ = std::current_exception();
            }
            end_();
        }
    }

    std::function<void()> end_;
    std::function<void(std::size_t)> work_;
    std::vector<Thread> threads_;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace ostrya
