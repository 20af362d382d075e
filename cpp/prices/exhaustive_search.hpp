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
    void start(const Vector<Price>& worth, std::int64_t threshold);

    /// Go on until a box is found, none is left, or `work` is used up: rows looked at
    /// in some column. It is reduced by what was done.
    Outcome run(std::int64_t& work, StopSign& stop);

    /// Groups in the box found, and by how much it is worth more than the threshold.
    const Vector<std::uint32_t>& box() const { return box_; }
    std::int64_t excess() const { return excess_; }
    /// To be called when the worth of the rows found was lowered.
    void worths_have_fallen() { ++version_; }

protected:
    enum class Verdict { nothing, box, open };

    explicit ExhaustiveSearch(MemoryBudget& memory) : box_(memory) {}

    /// Make the state of all boxes the only one.
    virtual void push_root() = 0;
    /// Look at the last state. Where it has no box worth too much it is dropped, where
    /// that is open it was parted, and its part is the last state now.
    virtual Verdict step() = 0;

    const Vector<Price>* worth_ = nullptr;
    std::int64_t threshold_ = 0;
    std::uint64_t version_ = 0;  // of the worths
    std::int64_t work_ = 0;      // left
    std::size_t depth_ = 0;      // states in use

    Vector<std::uint32_t> box_;
    std::int64_t excess_ = 0;
};

}  // namespace ostrya
