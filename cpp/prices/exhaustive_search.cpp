#include "prices/exhaustive_search.hpp"

#include <cassert>
#include <utility>

namespace ostrya {

void ExhaustiveSearch::start(const Vector<Price>& worth, std::int64_t threshold) {
    worth_ = &worth;
    threshold_ = threshold;
    ++version_;
    depth_ = n_given_ = level_ = 0;
    push_root();
}

ExhaustiveSearch::Outcome ExhaustiveSearch::run(std::int64_t& work, StopSign& stop) {
    work_ = work;
    std::int64_t told = work;
    Outcome outcome = Outcome::none_left;
    while (!is_done()) {
        const auto done = static_cast<std::size_t>(std::exchange(told, work_) - work_);
        if (work_ <= 0 || stop.is_up_before(done + 64, 2 * (done + 64))) {
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

bool ExhaustiveSearch::can_give() {
    while (n_given_ + 1 < depth_ && !has_more(n_given_)) ++n_given_;
    return n_given_ + 1 < depth_;
}

void ExhaustiveSearch::give_to(ExhaustiveSearch& other) {
    assert(can_give() && other.is_done());
    other.worth_ = worth_;
    other.threshold_ = threshold_;
    other.version_ = version_;
    other.depth_ = other.n_given_ = 0;
    other.level_ = level();
    copy_rest(n_given_++, other);
}

}  // namespace ostrya
