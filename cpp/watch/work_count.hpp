/// Work that a search has done: the same for the same problem on any machine.
///
/// It is counted twice. Words of memory looked at, roughly, decide what a search does
/// when. Nanoseconds are what this takes on a usual machine, by a model of the costs
/// (Node::nanoseconds), and decide when a search has taken long enough.
#pragma once

#include <atomic>
#include <cstdint>

namespace ostrya {

class WorkCount {
public:
    void add(std::uint64_t work, std::uint64_t nanoseconds) {
        own_ += work;
        nanoseconds_ += nanoseconds;
    }

    /// All work so far, that of other threads included.
    std::uint64_t all() const { return own_ + of_others(); }
    /// One's own alone.
    std::uint64_t own() const { return own_; }
    /// What this thread has taken, by the model.
    std::uint64_t nanoseconds() const { return nanoseconds_; }
    /// The part of it that was done for the search itself.
    std::uint64_t of_search() const { return all() - aside_ + earlier_; }

    /// What was done beside the search, which is said afterwards.
    void set_aside(std::uint64_t work) { aside_ += work; }
    /// An earlier search, which this one goes on from, had come so far.
    void go_on_after(std::uint64_t work) { earlier_ += work; }

    /// Have the work of other threads counted with one's own.
    void include(const std::atomic<std::uint64_t>& others) { others_ = &others; }
    /// What others did is counted for good, though they are gone.
    void keep_others() {
        own_ += of_others();
        others_ = nullptr;
    }

private:
    std::uint64_t of_others() const {
        return others_ == nullptr ? 0 : others_->load(std::memory_order_relaxed);
    }

    std::uint64_t own_ = 0, nanoseconds_ = 0, aside_ = 0, earlier_ = 0;
    const std::atomic<std::uint64_t>* others_ = nullptr;
};

}  // namespace ostrya
