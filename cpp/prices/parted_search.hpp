/// All boxes worth more than a threshold, found by several threads.
///
/// A search that is soon over is left to one thread. A longer one is parted into
/// searches of fewer boxes, which go on in turns: in a turn each of them looks at its
/// boxes for a fixed amount of work, or until it has found one, all by the worths as
/// they were at its beginning. Then the boxes found are handed out in the order of the
/// parts, each with what it is still worth too much, and a part that is done takes over
/// the largest share that another has left.
///
/// So nothing depends on which thread looks at which part, or when: the same boxes are
/// handed out in the same order by two threads and by many, as long as there is memory
/// for all parts. Near the limit there may be fewer of them, by what the memo of all
/// threads has taken at the time; then other boxes come first. That nothing is missed
/// does not even depend on the turns, only on worths that never rise
/// (exhaustive_search.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "prices/exhaustive_search.hpp"
#include "prices/rank_table.hpp"
#include "threads/open_loop.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

class PartedSearch {
public:
    using Outcome = ExhaustiveSearch::Outcome;

    /// With few cuts boxes are searched condition by condition, with more by ranges of
    /// sides. Without helpers one thread does it all.
    PartedSearch(const RankTable& table, const Tuning::Prices& tuning,
                 OpenLoop* helpers, MemoryBudget& memory);

    // The same as of any exhaustive search.

    void start(const Vector<Price>& worth, std::int64_t threshold);
    Outcome run(std::int64_t& work, StopSign& stop);
    const Vector<std::uint32_t>& box() const { return from_->box(); }
    std::int64_t excess() const { return excess_; }
    void worths_have_fallen();

    /// Whether other threads are called to help from here on; what is found does not
    /// depend on it.
    void call_for_help(bool is_needed) { calls_for_help_ = is_needed; }
    /// Have the threads that help go back to what they did.
    void dismiss() {
        if (helpers_ != nullptr) helpers_->close();
    }

private:
    Outcome run_alone(std::int64_t& work, StopSign& stop);
    bool hand_out();
    void share_out();
    ExhaustiveSearch* largest();
    ExhaustiveSearch* idle();
    void take_turn(std::int64_t& work, StopSign& stop);

    const MemoryBudget& memory_;
    MemoryBudget own_;  // the part of it that is taken here
    Tuning::Prices tuning_;
    OpenLoop* helpers_;
    bool calls_for_help_ = true;
    std::vector<std::unique_ptr<ExhaustiveSearch>> parts_;
    const Vector<Price>* worth_ = nullptr;
    std::int64_t threshold_ = 0;
    std::int64_t alone_ = 0;  // work to be done before the search is parted

    std::vector<ExhaustiveSearch*> open_;   // parts of this turn
    Vector<std::uint8_t> has_box_;          // of these
    std::vector<ExhaustiveSearch*> found_;  // those with a box, the last one first
    ExhaustiveSearch* from_ = nullptr;      // the part whose box is handed out
    std::int64_t excess_ = 0;
};

/// No thread stays to help beyond the life of this.
class Dismissal {
public:
    explicit Dismissal(PartedSearch& search) : search_(search) {}
    ~Dismissal() { search_.dismiss(); }
    Dismissal(const Dismissal&) = delete;
    Dismissal& operator=(const Dismissal&) = delete;

private:
    PartedSearch& search_;
};

}  // namespace ostrya
