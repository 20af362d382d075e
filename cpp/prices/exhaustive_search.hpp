/// What every search for all boxes promises, however it goes about it.
#pragma once

#include <cstdint>

#include "memory/budget.hpp"
#include "objective/price_scale.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// All boxes worth more than a threshold. A box found is handed out; whoever asks
/// lowers the worth of its rows, and the search goes on where it was. What was ruled
/// out stays ruled out, since worths only fall: so at the end no box at all is worth
/// more than the threshold.
class ExhaustiveSearch {
public:
    enum class Outcome { none_left, found, paused };

    virtual ~ExhaustiveSearch() = default;

    /// Start over. `worth` is read as it is at each time, and must not rise.
    virtual void start(const Vector<Price>& worth, std::int64_t threshold) = 0;

    /// Go on until a box is found, none is left, or `work` is used up: rows looked at
    /// in some column. It is reduced by what was done.
    virtual Outcome run(std::int64_t& work, StopSign& stop) = 0;

    /// Groups in the box found, and by how much it is worth more than the threshold.
    const Vector<std::uint32_t>& box() const { return box_; }
    std::int64_t excess() const { return excess_; }
    /// To be called when the worth of the rows found was lowered.
    void worths_have_fallen() { ++version_; }

protected:
    explicit ExhaustiveSearch(MemoryBudget& memory) : box_(memory) {}

    Vector<std::uint32_t> box_;
    std::int64_t excess_ = 0;
    std::uint64_t version_ = 0;  // of the worths
};

}  // namespace ostrya
