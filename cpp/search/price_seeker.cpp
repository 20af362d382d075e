#include "search/price_seeker.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {
namespace {

/// Whether a problem is of the kind that prices help with.
bool may_help(const Problem& problem, const Options& options) {
    return options.switches.row_prices.is_on && problem.scale.penalty > 0 &&
           problem.limits.reachable_depth() >= options.tuning.prices.least_depth &&
           PriceScale(problem).penalty > 0 && RankTable::holds(problem);
}

}  // namespace

PriceSeeker::PriceSeeker(const SearchContext& context, PriceBounds& bounds)
    : problem_(context.problem),
      tuning_(context.tuning().prices),
      stop_(context.stop),
      memory_(context.memory),
      shared_(context.facts.prices),
      bounds_(bounds),
      helpers_(context.options.n_threads > 1 ? &shared_.boxes() : nullptr),
      is_on_(context.options.switches.row_prices.is_on),
      may_help_(may_help(problem_, context.options)),
      start_(std::max<std::uint64_t>(
          tuning_.least_work,
          tuning_.least_boxes * problem_.n_groups * problem_.splits.size())),
      next_work_(start_) {}

void PriceSeeker::seek_again() {
    const std::uint64_t of_search = stop_.counted.of_search();
    if (!is_worth_while(of_search)) {
        next_work_ = tuning_.wait_while_near * of_search;
        return;
    }
    const std::uint64_t since = of_search - std::min(of_search, last_work_);
    last_work_ = of_search;
    seek(std::max(since, tuning_.least_turn),
         is_theirs() ? tuning_.leading_share : tuning_.usual_share);
    next_work_ = of_search + std::max<std::uint64_t>(of_search / tuning_.turn_part, 1);
}

/// Whether prices are likely to be ahead of the search. Where columns are yes/no
/// questions and half of what the best tree costs is proved without them, it is soon
/// over. Both are counted above the base, the loss that no tree avoids.
bool PriceSeeker::is_worth_while(std::uint64_t of_search) const {
    return problem_.has_many_cuts || lead() || 2 * lower_ < upper_ ||
           of_search >= tuning_.most_wait;
}

/// Whether a bound is too far from the best tree for the proof to be near.
bool PriceSeeker::is_far(Cost bound) const {
    return bound < upper_ - upper_ / tuning_.near_part;
}

void PriceSeeker::take_latest() {
    auto [index, version] = shared_.latest();
    bounds_.use(std::move(index), version);
}

void PriceSeeker::seek_before(std::uint64_t work) {
    if (may_help_ && work >= start_) seek(std::min(work, tuning_.most_before_scan), 1);
}

bool PriceSeeker::lead() const {
    return prices_ && bounds_.lower(prices_->sum()) >= lower_;
}

/// Whether prices alone raise the root's bound, and have far to go: the search would
/// take up its time in vain.
bool PriceSeeker::is_theirs() const {
    return lead() && is_far(lower_);
}

/// Seek prices for so many times this work; for no more than the usual share of it from
/// when on the proof is near.
void PriceSeeker::seek(std::uint64_t work, std::uint64_t share) {
    if (upper_ == unreachable) return;
    // A row looked at for prices takes as long as a word of the search.
    auto left = static_cast<std::int64_t>(work * share) - owed_;
    owed_ = std::max<std::int64_t>(-left, 0);
    if (left <= 0 || !make_prices()) return;
    const std::uint64_t before = stop_.counted.all();
    bool has_risen = false;
    // As long as prices alone raise the bound, the other threads search in vain.
    prices_->call_for_help(tuning_.always_calls_for_help || is_theirs());
    stop_.notifications.hold_back(true);
    while (prices_->improve(upper_, left, stop_)) {
        has_risen = true;
        const Cost bound = bounds_.lower(prices_->sum());
        tell_(bound);
        if (!is_far(bound)) {
            const std::uint64_t usual = std::min(share, tuning_.usual_share);
            left -= static_cast<std::int64_t>(work * (share - usual));
            share = usual;
        }
    }
    owed_ = std::max<std::int64_t>(-left, 0);
    stop_.notifications.hold_back(false);
    if (has_risen) show_prices();
    stop_.counted.set_aside(stop_.counted.all() - before);
    if (prices_->is_settled()) may_help_ = false;
}

/// Whether there are prices, which are made where there is memory for them. The search
/// goes on beside them and has as much for itself: it can do without prices, and not
/// without its levels.
bool PriceSeeker::make_prices() {
    if (prices_) return true;
    if (!memory_.allows(2 * price_bytes(problem_, tuning_.few_cuts))) {
        may_help_ = false;
        return false;
    }
    prices_ = std::make_unique<RowPrices>(problem_, memory_, tuning_, helpers_);
    return true;
}

/// Have all nodes, of other threads too, know the best prices.
void PriceSeeker::show_prices() {
    const auto index = std::make_shared<PriceIndex>(memory_);
    may_help_ = index->fill(problem_.keys, prices_->prices());
    bounds_.use(index, may_help_ ? bounds_.version() + 1 : 0);
    shared_.publish(index, bounds_.version());
}

void PriceSeeker::go_on_from(const PriceState& state, std::uint64_t next_work) {
    if (!may_help_) return;
    if (next_work > next_work_) {
        next_work_ = next_work;
        last_work_ = next_work - next_work / (tuning_.turn_part + 1);
    }
    if (state.best.empty() || !make_prices()) return;
    prices_->go_on_from(state);
    if (prices_->sum() > 0) show_prices();
}

}  // namespace ostrya
