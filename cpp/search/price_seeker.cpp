#include "search/price_seeker.hpp"

#include <algorithm>
#include <utility>

#include "prices/price_bytes.hpp"

namespace ostrya {
namespace {

/// A search that is over sooner has no need of prices: some thousandths of a second,
/// and what boxes take that are grown from all rows, so many of them.
constexpr std::uint64_t least_work = std::uint64_t{1} << 22;
constexpr std::uint64_t least_boxes = 32;
/// Where prices are asked for at once, they have this much.
constexpr std::uint64_t least_work_at_once = std::uint64_t{1} << 25;
/// Before the first scan of pairs, which may be over at once, prices have this much.
constexpr std::uint64_t most_work_before = std::uint64_t{1} << 25;
/// Prices are sought again whenever the search has gone on by this part of its work,
/// and may take so many times what it took meanwhile: in short turns, so that a search
/// that new prices bring to its end is over at once. As long as they lead it, they may
/// take more.
constexpr std::uint64_t parts_between = 8;
constexpr std::uint64_t usual_share = 2;
constexpr std::uint64_t leading_share = 6;
/// How many times the work so far a search has to itself that has proved half by then
/// (of the cost above the base), and what is too long for that.
constexpr std::uint64_t patience = 8;
constexpr std::uint64_t long_work = std::uint64_t{1} << 32;
/// Trees this shallow are searched faster than prices are found.
constexpr std::uint32_t shallow = 5;

/// Whether a problem is of the kind that prices help with.
bool may_help(const Problem& problem, const Options& options) {
    return options.switches.row_prices.is_on && problem.scale.penalty > 0 &&
           (options.price_start || problem.limits.reachable_depth() > shallow) &&
           PriceScale(problem).penalty > 0 && RankTable::holds(problem);
}

/// Whether a bound is too far from the best tree for the proof to be near.
bool is_far(Cost bound, Cost upper) {
    return bound < upper - upper / 16;
}

/// How threads share the search for prices; at once where these are asked for at once.
Sharing sharing_of(const Options& options, PriceShelf& shelf) {
    Sharing out;
    if (options.n_threads == 1) return out;
    out.helpers = &shelf.boxes();
    if (options.price_start) out.lone_work = out.turn_work = 1;
    return out;
}

}  // namespace

PriceSeeker::PriceSeeker(const Problem& problem, const Options& options, StopSign& stop,
                         MemoryBudget& memory, PriceShelf& shelf, PriceBounds& bounds)
    : problem_(problem),
      stop_(stop),
      memory_(memory),
      shelf_(shelf),
      bounds_(bounds),
      sharing_(sharing_of(options, shelf)),
      is_on_(options.switches.row_prices.is_on),
      may_help_(may_help(problem, options)),
      is_asked_for_(options.price_start.has_value()),
      start_(options.price_start.value_or(std::max<std::uint64_t>(
          least_work, least_boxes * problem.n_groups * problem.splits.size()))),
      next_work_(start_) {}

void PriceSeeker::seek_again() {
    const std::uint64_t of_search = stop_.counted.of_search();
    if (!is_worth_while(of_search)) {
        next_work_ = patience * of_search;
        return;
    }
    const std::uint64_t since = of_search - std::min(of_search, last_work_);
    last_work_ = of_search;
    seek(is_asked_for_ ? std::max(since, least_work_at_once) : since,
         is_theirs() ? leading_share : usual_share);
    next_work_ = of_search + std::max<std::uint64_t>(of_search / parts_between, 1);
}

/// Whether prices are likely to be ahead of the search. Where columns are yes/no
/// questions and half of what the best tree costs is proved without them, it is soon
/// over. Both are counted above the base, the loss that no tree avoids.
bool PriceSeeker::is_worth_while(std::uint64_t of_search) const {
    return is_asked_for_ || problem_.has_many_cuts() || lead() || 2 * lower_ < upper_ ||
           of_search >= long_work;
}

void PriceSeeker::take_latest() {
    auto [index, version] = shelf_.latest();
    bounds_.use(std::move(index), version);
}

void PriceSeeker::seek_before(std::uint64_t work) {
    if (may_help_ && work >= start_) seek(std::min(work, most_work_before), 1);
}

bool PriceSeeker::lead() const {
    return prices_ && bounds_.lower(prices_->sum()) >= lower_;
}

/// Whether prices alone raise the root's bound, and have far to go: the search would
/// take up its time in vain.
bool PriceSeeker::is_theirs() const {
    return lead() && is_far(lower_, upper_);
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
    prices_->call_for_help(is_asked_for_ || is_theirs());
    stop_.news.pass_over(true);
    while (prices_->improve(upper_, left, stop_)) {
        has_risen = true;
        const Cost bound = bounds_.lower(prices_->sum());
        tell_(bound);
        if (!is_far(bound, upper_)) {
            const std::uint64_t usual = std::min(share, usual_share);
            left -= static_cast<std::int64_t>(work * (share - usual));
            share = usual;
        }
    }
    owed_ = std::max<std::int64_t>(-left, 0);
    stop_.news.pass_over(false);
    if (has_risen) show_prices();
    stop_.counted.set_aside(stop_.counted.all() - before);
    if (prices_->is_settled()) may_help_ = false;
}

/// Whether there are prices, which are made where there is memory for them. The search
/// goes on beside them and has as much for itself: it can do without prices, and not
/// without its levels.
bool PriceSeeker::make_prices() {
    if (prices_) return true;
    if (!memory_.allows(2 * price_bytes(problem_, RowPrices::few_cuts))) {
        may_help_ = false;
        return false;
    }
    prices_ =
        std::make_unique<RowPrices>(problem_, memory_, RowPrices::few_cuts, sharing_);
    return true;
}

/// Have all nodes, of other threads too, know the best prices.
void PriceSeeker::show_prices() {
    const auto index = std::make_shared<PriceIndex>(memory_);
    may_help_ = index->fill(problem_.keys, prices_->prices());
    bounds_.use(index, may_help_ ? bounds_.version() + 1 : 0);
    shelf_.put(index, bounds_.version());
}

void PriceSeeker::go_on_from(const PriceState& state, std::uint64_t next_work) {
    if (!may_help_) return;
    if (next_work > next_work_) {
        next_work_ = next_work;
        last_work_ = next_work - next_work / (parts_between + 1);
    }
    if (state.best.empty() || !make_prices()) return;
    prices_->go_on_from(state);
    if (prices_->sum() > 0) show_prices();
}

}  // namespace ostrya
