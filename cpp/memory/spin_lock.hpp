/// A lock for sections of some nanoseconds, which threads seldom meet in.
#pragma once

#include <atomic>
#include <thread>

namespace ostrya {

class SpinLock {
public:
    void lock() noexcept {
        for (int tries = 0; is_held_.exchange(true, std::memory_order_acquire);) {
            // The holder may have lost its processor: let it have this one.
            while (is_held_.load(std::memory_order_relaxed)) {
                if (++tries % 64 == 0) std::this_thread::yield();
            }
        }
    }
    void unlock() noexcept { is_held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> is_held_ = false;
};

/// Holds a lock where there is more than one thread.
class LockIfShared {
public:
    LockIfShared(SpinLock& lock, bool is_shared) noexcept
        : lock_(is_shared ? &lock : nullptr) {
        if (lock_ != nullptr) lock_->lock();
    }
    LockIfShared(const LockIfShared&) = delete;
    LockIfShared& operator=(const LockIfShared&) = delete;
    ~LockIfShared() {
        if (lock_ != nullptr) lock_->unlock();
    }

private:
    SpinLock* lock_;
};

}  // namespace ostrya
