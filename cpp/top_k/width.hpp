/// How many splits a node may use while a search widens, and whether any node has more.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/options.hpp"

namespace ostrya {

class Width {
public:
    explicit Width(const TopK& top_k) : top_k_(top_k) {}

    /// Whatever k is, no node uses more splits than `most` from here on.
    void set(std::uint32_t most) {
        most_ = most;
        has_left_out_ = false;
    }
    std::uint32_t most() const { return most_; }

    /// The splits that a node at a level may use.
    std::uint32_t at(std::size_t level) const {
        return std::min(most_, top_k_.width(level));
    }

    /// Take note of a node that was looked at: whether it has more splits than that.
    void note(bool leaves_out) { has_left_out_ |= leaves_out; }
    /// Whether one of those since the width was set has more.
    bool has_left_out() const { return has_left_out_; }

private:
    const TopK& top_k_;
    std::uint32_t most_ = 1;
    bool has_left_out_ = false;
};

}  // namespace ostrya
