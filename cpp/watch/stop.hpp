/// Reasons to stop before the proof, looked at often and cheaply.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "watch/notifications.hpp"
#include "watch/stopwatch.hpp"
#include "watch/work_count.hpp"

namespace ostrya {

enum class Status {
    optimal,
    optimal_in_top_k,
    optimal_to_depth,
    upper_bound,
    time_limit,
    memory_limit,
    interrupted
};

/// A point of a search by either count of its work (work_count.hpp).
struct WorkMark {
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint64_t work = never;
    std::uint64_t nanoseconds = never;

    bool is_reached(const WorkCount& counted) const {
        return counted.own() >= work || counted.nanoseconds() >= nanoseconds;
    }
    /// What comes first of either count.
    friend WorkMark first_of(WorkMark a, WorkMark b) {
        return {a.work < b.work ? a.work : b.work,
                a.nanoseconds < b.nanoseconds ? a.nanoseconds : b.nanoseconds};
    }
};

class StopSign {
public:
    explicit StopSign(std::optional<double> time_limit) : watch(time_limit) {}

    /// Have `look` called every few hundredths of a second while the search runs, on
    /// its thread. It may interrupt.
    void look_now_and_then(std::function<void()> look) { look_ = std::move(look); }

    void interrupt() { raise(Status::interrupted); }

    void memory_is_out() { raise(Status::memory_limit); }

    /// True once the search has to come back with what it has.
    bool is_up() {
        if (has_stopped()) return true;
        const auto now = Stopwatch::Clock::now();
        if (watch.is_over(now)) raise(Status::time_limit);
        if (look_ && now >= next_look_) {
            next_look_ = now + std::chrono::milliseconds(20);
            look_();
        }
        if (notifications.are_pending()) is_paused_ = true;
        return has_stopped();
    }

    /// The same between short pieces of work, which may take less time than a look at
    /// the clock: `work` is what the next one comes to, in words looked at, and
    /// `nanoseconds` what these take; a word takes about one.
    bool is_up_before(std::size_t work) { return is_up_before(work, work); }
    bool is_up_before(std::size_t work, std::size_t nanoseconds) {
        since_look_ += work;
        counted.add(work, nanoseconds);
        if (halt_at_.is_reached(counted)) halt();
        if (since_look_ < work_between_looks) return has_stopped();
        if (work_of_all_ != nullptr) *work_of_all_ += since_look_;
        since_look_ = 0;
        return is_up();
    }

    /// The same for work that a tree cannot do without: it goes on for a moment.
    bool is_late() { return watch.seconds() > moment && is_up(); }

    /// Whether it was up when it was last asked.
    bool has_stopped() const { return reason_.has_value() || is_paused_; }

    /// Have a search come back after this much work, for something else to be done, or
    /// at once.
    void pause_after(WorkMark more) {
        const auto later = [](std::uint64_t now, std::uint64_t by) {
            return by < WorkMark::never - now ? now + by : WorkMark::never;
        };
        set_pause({later(counted.own(), more.work),
                   later(counted.nanoseconds(), more.nanoseconds)});
    }
    void pause() { is_paused_ = true; }
    /// Go on; says whether it had come back for that reason.
    bool go_on() {
        set_pause({});
        notifications.acknowledge();
        return std::exchange(is_paused_, false) && !reason_;
    }

    /// Have the search end here at the latest: at the same place on every machine.
    void end_after(WorkMark mark) {
        end_at_ = first_of(end_at_, mark);
        set_pause(pause_at_);
    }

    /// Add what is done here to a count of several threads.
    void add_work_to(std::atomic<std::uint64_t>& all) { work_of_all_ = &all; }

    std::optional<Status> reason() const { return reason_; }

    Stopwatch watch;              // of the search
    WorkCount counted;            // what was told so far
    Notifications notifications;  // for which it comes back, as if paused

private:
    static constexpr double moment = 0.1;
    static constexpr std::size_t work_between_looks = 1 << 14;  // some microseconds

    void raise(Status status) {
        if (!reason_) reason_ = status;
    }

    void halt() {
        if (end_at_.is_reached(counted)) raise(Status::optimal_to_depth);
        if (pause_at_.is_reached(counted)) is_paused_ = true;
    }

    void set_pause(WorkMark at) {
        pause_at_ = at;
        halt_at_ = first_of(at, end_at_);
    }

    std::optional<Status> reason_;
    std::size_t since_look_ = 0;
    WorkMark pause_at_, end_at_, halt_at_;
    bool is_paused_ = false;
    std::atomic<std::uint64_t>* work_of_all_ = nullptr;
    std::function<void()> look_;
    Stopwatch::Clock::time_point next_look_ =
        Stopwatch::Clock::now() + std::chrono::milliseconds(20);
};

}  // namespace ostrya
