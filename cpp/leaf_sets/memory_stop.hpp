/// The stop sign of a search, which goes up as well when its memory is used up.
#pragma once

#include "memory/budget.hpp"
#include "watch/stop.hpp"

namespace ostrya::leaf_sets {

class MemoryStop {
public:
    MemoryStop(StopSign& sign, const MemoryBudget& memory)
        : sign_(sign), memory_(memory) {}

    /// Whether to come back at once, asked before so much work, in words looked at.
    bool is_up_before(std::size_t work) {
        if (memory_.is_exceeded()) sign_.memory_is_out();
        return sign_.is_up_before(work);
    }
    /// The same before work of unknown length.
    bool is_up() {
        if (memory_.is_exceeded()) sign_.memory_is_out();
        return sign_.is_up();
    }
    /// Whether it was so when that was last asked.
    bool has_stopped() const { return sign_.has_stopped(); }

private:
    StopSign& sign_;
    const MemoryBudget& memory_;
};

}  // namespace ostrya::leaf_sets
