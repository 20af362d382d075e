/// All boxes worth more than a threshold, found by branch and bound.
///
/// Every row group has a worth of either sign. A state is a set of boxes: each side of
/// each column has a range of places (Lampert, Blaschko and Hofmann 2008, CVPR,
/// "efficient subwindow search", in more dimensions). The outer box has all sides far
/// out, the inner one all sides far in; no box of the state is worth more than
///     what the inner box is worth + all gains of the outer box that are not in it.
/// A side may move in only as far as the gains it gives up leave that above the
/// threshold, and is moved in for free where it gives up none (the best box is the
/// bounding box of its gains). Moving sides makes the outer box smaller and the inner
/// one larger, so this is repeated until nothing moves; then one range is halved.
///
/// A box that is worth too much is handed out; whoever asks lowers the worth of its
/// rows, and the search goes on where it was. What was ruled out stays ruled out, since
/// worths only fall: so at the end no box at all is worth more than the threshold.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "prices/box_state.hpp"
#include "watch/stop.hpp"

namespace ostrya {

class BoxSearch {
public:
    enum class Outcome { none_left, found, paused };

    BoxSearch(const RankTable& table, MemoryBudget& memory);

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

private:
    enum class Verdict { nothing, box, open };

    BoxState& push();
    void fill(BoxState& state, const Vector<std::uint32_t>& groups);
    void refresh(BoxState& state);
    Verdict look_at(BoxState& state);
    bool tighten(BoxState& state);
    bool tighten_column(const UndecidedRows& gains, std::size_t at, std::int64_t slack,
                        Sides& sides);
    void classify(BoxState& state);
    void choose_halves(BoxState& state);
    void visit_half(const BoxState& state, bool moves_far);

    const RankTable& table_;
    const Vector<Price>* worth_ = nullptr;
    std::int64_t threshold_ = 0;
    std::uint64_t version_ = 0;
    std::int64_t work_ = 0;

    MemoryBudget& memory_;
    std::vector<std::unique_ptr<BoxState>> states_;
    std::size_t depth_ = 0;  // states in use
    Vector<std::uint32_t> decided_;
    Vector<std::uint32_t> box_;
    std::int64_t excess_ = 0;

    Vector<std::uint32_t> groups_, kept_;  // scratch
    Vector<std::int64_t> low_, high_;
};

}  // namespace ostrya
