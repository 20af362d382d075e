/// What every search for all boxes promises, however it goes about it.
#pragma once

#include <cstdint>
#include <memory>

#include "memory/budget.hpp"
#include "objective/price_scale.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// All boxes worth more than a threshold. A box found is handed out; whoever asks
/// lowers the worth of its rows, and the search goes on where it was. What was ruled
/// out stays ruled out, since worths only fall: so at the end no box at all is worth
/// more than the threshold.
///
/// Some of what is left can be given to another search, and so on: at the end of all of
/// them no box is worth more than the threshold, whoever was faster. Each has ruled out
/// its boxes by worths that have not risen since. One argument looks beyond a search's
/// own boxes (condition_search.hpp: a set is given up for one with a condition more),
/// and it too needs no more than that the other set is ruled out in the end.
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

    /// A search of the same table, with nothing to do.
    virtual std::unique_ptr<ExhaustiveSearch> another() const = 0;
    bool is_done() const { return depth_ <= n_given_; }
    void drop() { depth_ = n_given_ = 0; }
    /// Whether there are boxes that can be given away, and how far from the state of
    /// all boxes they are: the less, the more there are of them.
    bool can_give();
    std::size_t level() const { return level_ + n_given_; }
    /// Have another search, which is done, look at the first of them instead.
    void give_to(ExhaustiveSearch& other);

protected:
    enum class Verdict { nothing, box, open };

    explicit ExhaustiveSearch(MemoryBudget& memory) : box_(memory) {}

    /// Make the state of all boxes the only one.
    virtual void push_root() = 0;
    /// Look at the last state. Where it has no box worth too much it is dropped, where
    /// that is open it was parted, and its part is the last state now.
    virtual Verdict step() = 0;
    /// Whether a state, not the last one, has boxes that its parts above do not.
    virtual bool has_more(std::size_t state) const = 0;
    /// Have another search begin with the rest of a state.
    virtual void copy_rest(std::size_t state, ExhaustiveSearch& other) const = 0;

    const Vector<Price>* worth_ = nullptr;
    std::int64_t threshold_ = 0;
    std::uint64_t version_ = 0;  // of the worths
    std::int64_t work_ = 0;      // left
    std::size_t depth_ = 0;      // states in use
    std::size_t n_given_ = 0;    // of these, the first ones: their rest is not ours
    std::size_t level_ = 0;      // of the first state, below that of all boxes

    Vector<std::uint32_t> box_;
    std::int64_t excess_ = 0;
};

}  // namespace ostrya
