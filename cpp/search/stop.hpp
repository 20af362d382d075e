/// Reasons to stop before the proof, looked at often and cheaply.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace ostrya {

enum class Status { optimal, upper_bound, time_limit, memory_limit, interrupted };

class StopSign {
public:
    using Clock = std::chrono::steady_clock;

    explicit StopSign(std::optional<double> time_limit) : start_(Clock::now()) {
        if (time_limit && *time_limit < 1e9) {
            deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*time_limit));
        }
    }

    /// From any thread: stop as soon as possible.
    void interrupt() { is_interrupted_.store(true, std::memory_order_relaxed); }

    void memory_is_out() { raise(Status::memory_limit); }

    /// True once the search has to come back with what it has.
    bool is_up() {
        if (reason_) return true;
        if (is_interrupted_.load(std::memory_order_relaxed)) raise(Status::interrupted);
        if (deadline_ && Clock::now() >= *deadline_) raise(Status::time_limit);
        return reason_.has_value();
    }

    std::optional<Status> reason() const { return reason_; }
    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

private:
    void raise(Status status) {
        if (!reason_) reason_ = status;
    }

    Clock::time_point start_;
    std::optional<Clock::time_point> deadline_;
    std::optional<Status> reason_;
    std::atomic<bool> is_interrupted_{false};
};

}  // namespace ostrya
