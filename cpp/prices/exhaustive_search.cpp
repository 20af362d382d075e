#include "prices/exhaustive_search.hpp"

#include <utility>

namespace ostrya {

void ExhaustiveSearch::start(const Vector<Price>& worth, std::int64_t threshold) {
    worth_ = &worth;
    threshold_ = threshold;
    ++version_;
    depth_ = 0;
    push_root();
}

ExhaustiveSearch::Outcome ExhaustiveSearch::run(std::int64_t& work, StopSign& stop) {
    work_ = work;
    std::int64_t told = work;
    Outcome outcome = Outcome::none_left;
    while (depth_ > 0) {
        const auto done = static_cast<std::size_t>(std::exchange(told, work_) - work_);
        if (work_ <= 0 || stop.is_up_before(done + 64)) {
            outcome = Outcome::paused;
            break;
        }
        const Verdict verdict = step();
        if (verdict == Verdict::box) {
            outcome = Outcome::found;
            break;
        }
        if (verdict == Verdict::nothing) --depth_;
    }
    work = work_;
    return outcome;
}

}  // namespace ostrya
