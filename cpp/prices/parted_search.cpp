#include "prices/parted_search.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "prices/box_search.hpp"
#include "prices/condition_search.hpp"

namespace ostrya {
namespace {

std::unique_ptr<ExhaustiveSearch> search_of(const RankTable& table,
                                            std::size_t most_cuts,
                                            MemoryBudget& memory) {
    if (table.n_cuts() <= most_cuts) {
        return std::make_unique<ConditionSearch>(
            std::make_shared<ConditionTable>(table, memory), memory);
    }
    return std::make_unique<BoxSearch>(table, memory);
}

}  // namespace

PartedSearch::PartedSearch(const RankTable& table, const Tuning::Prices& tuning,
                           OpenLoop* helpers, MemoryBudget& memory)
    : memory_(memory),
      own_(&memory),
      tuning_(tuning),
      helpers_(helpers),
      has_box_(own_) {
    parts_.push_back(search_of(table, tuning.few_cuts, own_));
    from_ = parts_.front().get();
}

void PartedSearch::start(const Vector<Price>& worth, std::int64_t threshold) {
    dismiss();
    worth_ = &worth;
    threshold_ = threshold;
    alone_ = tuning_.lone_work;
    found_.clear();
    for (auto& part : parts_) part->drop();
    parts_.front()->start(worth, threshold);
}

void PartedSearch::worths_have_fallen() {
    for (auto& part : parts_) part->worths_have_fallen();
}

PartedSearch::Outcome PartedSearch::run(std::int64_t& work, StopSign& stop) {
    if (helpers_ == nullptr || alone_ > 0) {
        const Outcome outcome = run_alone(work, stop);
        if (outcome != Outcome::paused || helpers_ == nullptr || alone_ > 0) {
            return outcome;
        }
    }
    while (!hand_out()) {
        share_out();
        if (open_.empty()) return Outcome::none_left;
        if (work <= 0 || stop.is_up()) return Outcome::paused;
        if (calls_for_help_) helpers_->open();
        take_turn(work, stop);
    }
    return Outcome::found;
}

/// As one thread does, until that is long enough to be shared.
PartedSearch::Outcome PartedSearch::run_alone(std::int64_t& work, StopSign& stop) {
    from_ = parts_.front().get();
    std::int64_t slice = helpers_ == nullptr ? work : std::min(work, alone_);
    work -= slice;
    alone_ -= slice;
    const Outcome outcome = from_->run(slice, stop);
    work += slice;
    alone_ += slice;
    excess_ = from_->excess();
    return outcome;
}

/// Choose the next box that was found in this turn and is still worth too much.
bool PartedSearch::hand_out() {
    while (!found_.empty()) {
        from_ = found_.back();
        found_.pop_back();
        const auto& box = from_->box();
        excess_ = std::accumulate(box.begin(), box.end(), -threshold_,
                                  [&](std::int64_t sum, std::uint32_t group) {
                                      return sum + (*worth_)[group];
                                  });
        if (excess_ > 0) return true;
    }
    return false;
}

/// Have parts that are done take over from others, and list those that are not.
void PartedSearch::share_out() {
    while (ExhaustiveSearch* const from = largest()) {
        ExhaustiveSearch* const to = idle();
        if (to == nullptr) break;
        from->give_to(*to);
    }
    open_.clear();
    for (auto& part : parts_) {
        if (!part->is_done()) open_.push_back(part.get());
    }
}

/// The first of those parts that can give away most; null where none can.
ExhaustiveSearch* PartedSearch::largest() {
    ExhaustiveSearch* out = nullptr;
    for (auto& part : parts_) {
        if (!part->can_give()) continue;
        if (out == nullptr || part->level() < out->level()) out = part.get();
    }
    return out;
}

/// A part that is done, or a new one; null where there are enough.
ExhaustiveSearch* PartedSearch::idle() {
    for (auto& part : parts_) {
        if (part->is_done()) return part.get();
    }
    if (parts_.size() == tuning_.most_parts) return nullptr;
    if (!memory_.allows(own_.used() / parts_.size())) return nullptr;
    parts_.push_back(parts_.front()->another());
    return parts_.back().get();
}

void PartedSearch::take_turn(std::int64_t& work, StopSign& stop) {
    has_box_.assign(open_.size(), 0);
    std::atomic<std::int64_t> done = 0;
    helpers_->run(
        open_.size(),
        [&](std::size_t at) {
            // Short, so that nobody has to wait for long; the owner looks at the clock.
            StopSign never{{}};
            std::int64_t left = tuning_.turn_work;
            has_box_[at] = open_[at]->run(left, never) == Outcome::found;
            done += tuning_.turn_work - left;
        },
        [&] { return stop.is_up(); });
    for (std::size_t at = open_.size(); at-- > 0;) {
        if (has_box_[at] != 0) found_.push_back(open_[at]);
    }
    work -= done;
    stop.is_up_before(static_cast<std::size_t>(done));
}

}  // namespace ostrya
