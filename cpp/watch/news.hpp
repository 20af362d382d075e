/// News of other threads: a number that they change.
#pragma once

#include <atomic>
#include <cstdint>

namespace ostrya {

class News {
public:
    /// Have the search come back when this number changes.
    void listen_to(const std::atomic<std::uint64_t>& news) {
        news_ = &news;
        hear();
    }
    void listen_no_more() { news_ = nullptr; }
    /// Whether news has to wait, while something is done that does not depend on it.
    void pass_over(bool passes_over) { passes_over_ = passes_over; }

    /// Whether there is some that was not heard yet.
    bool is_there() const {
        return news_ != nullptr && !passes_over_ && news_->load() != heard_;
    }
    void hear() {
        if (news_ != nullptr) heard_ = news_->load();
    }

private:
    const std::atomic<std::uint64_t>* news_ = nullptr;
    std::uint64_t heard_ = 0;
    bool passes_over_ = false;
};

}  // namespace ostrya
