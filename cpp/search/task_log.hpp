/// The pieces of a search that threads could share, as one thread does them: splits of
/// the root, splits of their children, and so on. For whoever asks what many threads
/// would be worth.
#pragma once

#include <cstdint>
#include <vector>

#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

class TaskLog {
public:
    /// Note tasks from here on, of the first levels.
    void start() { is_on_ = true; }

    /// Notes the task that begins with it and ends with it.
    class Timer {
    public:
        Timer(TaskLog& log, std::size_t level, const StopSign& stop)
            : log_(log), stop_(stop), place_(log.begin(level, stop)) {}
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;
        ~Timer() {
            if (place_ != nowhere) log_.tasks_[place_].end = stop_.counted.of_search();
        }

    private:
        TaskLog& log_;
        const StopSign& stop_;
        std::size_t place_;
    };

    std::vector<LoggedTask> take() { return std::move(tasks_); }

private:
    static constexpr std::size_t nowhere = ~std::size_t{0};
    static constexpr std::size_t n_levels = 3, most_tasks = 2'000'000;

    std::size_t begin(std::size_t level, const StopSign& stop) {
        if (!is_on_ || level >= n_levels || tasks_.size() >= most_tasks) return nowhere;
        tasks_.push_back(
            {static_cast<std::uint32_t>(level), stop.counted.of_search(), 0});
        return tasks_.size() - 1;
    }

    bool is_on_ = false;
    std::vector<LoggedTask> tasks_;
};

}  // namespace ostrya
