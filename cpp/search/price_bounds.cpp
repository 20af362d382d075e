#include "search/price_bounds.hpp"

#include <algorithm>

namespace ostrya {
namespace {

/// A search that is over sooner has no need of prices.
constexpr std::uint64_t least_work = std::uint64_t{1} << 25;
/// How many words the search looks at while prices look at one row.
constexpr std::uint64_t words_per_row = 4;
/// Trees this shallow are searched faster than prices are found.
constexpr std::uint32_t shallow = 5;

}  // namespace

bool PriceBounds::may_help(const Problem& problem, const Switch& row_prices) {
    return row_prices.is_on && problem.scale.penalty > 0 &&
           problem.limits.reachable_depth() > shallow &&
           PriceScale(problem).penalty > 0 && BoxSearch::can_search(problem);
}

PriceBounds::PriceBounds(const Problem& problem, const Switch& row_prices,
                         StopSign& stop, MemoryBudget& memory)
    : problem_(problem),
      row_prices_(row_prices),
      stop_(stop),
      memory_(memory),
      may_help_(may_help(problem, row_prices)),
      next_work_(least_work) {}

void PriceBounds::keep_pace() {
    const std::uint64_t work = stop_.work();
    const std::uint64_t of_search = work - own_work_;
    if (!may_help_ || of_search < next_work_ || upper_ == unreachable) return;
    if (!prices_) prices_ = std::make_unique<RowPrices>(problem_, memory_);
    const auto share = static_cast<std::int64_t>(of_search / words_per_row);
    if (prices_->improve(upper_, share, stop_)) tell_(lower(prices_->sum()));
    own_work_ += stop_.work() - work;
    next_work_ = 2 * of_search;
    if (prices_->is_settled()) may_help_ = false;
}

}  // namespace ostrya
