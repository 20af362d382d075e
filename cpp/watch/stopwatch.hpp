/// When something began, and when its time is over.
#pragma once

#include <chrono>
#include <optional>

namespace ostrya {

class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;

    explicit Stopwatch(std::optional<double> time_limit) : start_(Clock::now()) {
        if (time_limit && *time_limit < 1e9) deadline_ = start_ + span(*time_limit);
    }

    /// Have its time be over this much later than now at the latest.
    void end_in(double seconds) {
        const auto end = Clock::now() + span(seconds);
        if (!deadline_ || end < *deadline_) deadline_ = end;
    }
    bool is_over(Clock::time_point now) const { return deadline_ && now >= *deadline_; }

    /// Seconds since it began.
    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }
    /// Seconds until its time is over, if it has a limit.
    std::optional<double> seconds_left() const {
        if (!deadline_) return {};
        return std::chrono::duration<double>(*deadline_ - Clock::now()).count();
    }

private:
    static Clock::duration span(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(seconds));
    }

    Clock::time_point start_;
    std::optional<Clock::time_point> deadline_;
};

}  // namespace ostrya
