/// Notifications from other threads: a number that they change.
#pragma once

#include <atomic>
#include <cstdint>

namespace ostrya {

class Notifications {
public:
    /// Have the search return when this number changes.
    void subscribe_to(const std::atomic<std::uint64_t>& version) {
        version_ = &version;
        acknowledge();
    }
    void unsubscribe() { version_ = nullptr; }
    /// Whether notifications wait, while something runs that does not depend on them.
    void hold_back(bool holds_back) { holds_back_ = holds_back; }

    /// Whether the number has changed since it was last acknowledged.
    bool are_pending() const {
        return version_ != nullptr && !holds_back_ && version_->load() != seen_;
    }
    void acknowledge() {
        if (version_ != nullptr) seen_ = version_->load();
    }

private:
    const std::atomic<std::uint64_t>* version_ = nullptr;
    std::uint64_t seen_ = 0;
    bool holds_back_ = false;
};

}  // namespace ostrya
