/// A loop of one thread that others come to help with, and leave again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace ostrya {

/// One thread owns the loop: it opens it, runs it as often as it likes, and closes it.
/// Nobody waits for help: the items that no other thread takes are its own.
class OpenLoop {
public:
    using Work = std::function<void(std::size_t)>;

    OpenLoop() = default;
    OpenLoop(const OpenLoop&) = delete;
    OpenLoop& operator=(const OpenLoop&) = delete;

    /// Whether help is of use at the moment.
    bool is_open() const { return is_open_.load(std::memory_order_relaxed); }

    void open() { is_open_ = true; }
    /// Have all others leave; they are through with their items.
    void close() {
        if (!is_open()) return;
        const std::lock_guard held(mutex_);
        is_open_ = false;
        changed_.notify_all();
    }

    /// Have `work` called with the items from 0 to n - 1, by this thread and by those
    /// that help, until all are done or `is_stopped`, which this thread alone asks:
    /// then those are left that nobody has begun. What a call throws is thrown here.
    void run(std::size_t n, const Work& work, const std::function<bool()>& is_stopped) {
        std::unique_lock held(mutex_);
        work_ = &work;
        next_ = 0;
        n_ = n;
        if (n > 1) changed_.notify_all();
        while (next_ < n_) {
            // Others are at work that must not outlive this call.
            bool ends = true;
            call(held, [&] { ends = is_stopped(); });
            if (ends) n_ = next_;
            take_item(held);
        }
        changed_.wait(held, [this] { return n_busy_ == 0; });
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    /// Work on items until the loop is closed.
    void help() {
        std::unique_lock held(mutex_);
        while (is_open()) {
            if (next_ < n_) {
                take_item(held);
            } else {
                changed_.wait(held);
            }
        }
    }

private:
    void take_item(std::unique_lock<std::mutex>& held) {
        if (next_ >= n_) return;
        const std::size_t item = next_++;
        ++n_busy_;
        call(held, [&] { (*work_)(item); });
        if (--n_busy_ == 0) changed_.notify_all();
    }

    /// Call something without the lock; where it throws, the loop is over.
    template <class Function>
    void call(std::unique_lock<std::mutex>& held, const Function& function) {
        held.unlock();
        std::exception_ptr failure;
        try {
            function();
        } catch (...) {
            failure = std::current_exception();
        }
        held.lock();
        if (!failure) return;
        n_ = next_;
        if (!failure_) failure_ = failure;
    }

    std::atomic<bool> is_open_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    const Work* work_ = nullptr;
    std::size_t next_ = 0, n_ = 0;  // items
    std::size_t n_busy_ = 0;        // threads with an item
    std::exception_ptr failure_;
};

}  // namespace ostrya
