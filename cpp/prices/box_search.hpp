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
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "prices/box_state.hpp"
#include "prices/exhaustive_search.hpp"

namespace ostrya {

class BoxSearch : public ExhaustiveSearch {
public:
    BoxSearch(const RankTable& table, MemoryBudget& memory);
    std::unique_ptr<ExhaustiveSearch> another() const override {
        return std::make_unique<BoxSearch>(table_, memory_);
    }

private:
    void push_root() override;
    Verdict step() override;
    bool has_more(std::size_t state) const override {
        return states_[state]->n_visited < 2;
    }
    void copy_rest(std::size_t state, ExhaustiveSearch& other) const override;
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

    MemoryBudget& memory_;
    std::vector<std::unique_ptr<BoxState>> states_;
    Vector<std::uint32_t> decided_;

    Vector<std::uint32_t> groups_, kept_;  // scratch
    Vector<std::int64_t> low_, high_;
};

}  // namespace ostrya
