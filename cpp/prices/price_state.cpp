/// How a search for prices is left, and taken up again.
#include "prices/price_state.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "prices/row_prices.hpp"

namespace ostrya {

PriceState RowPrices::state(std::size_t most_rows, MemoryBudget& memory) const {
    PriceState out(memory);
    out.best.assign(best_.begin(), best_.end());
    out.pooled.assign(pooled_.begin(), pooled_.end());
    out.aims = {target_,
                refused_,
                too_long_.value_or(0),
                last_target_,
                last_work_,
                static_cast<double>(most_round_work_),
                growth_,
                may_be_negative_ ? 1.0 : 0.0};
    pool_.for_each([&](double cost, std::span<const std::uint32_t> rows) {
        if (out.rows.size() + rows.size() > most_rows) return;
        out.costs.push_back(cost);
        out.sizes.push_back(static_cast<std::uint32_t>(rows.size()));
        out.rows.insert(out.rows.end(), rows.begin(), rows.end());
    });
    return out;
}

void RowPrices::go_on_from(const PriceState& state) {
    assert(state.best.size() == n_groups_ && state.pooled.size() == n_groups_);
    const std::int64_t sum =
        std::accumulate(state.best.begin(), state.best.end(), std::int64_t{0});
    if (sum < best_sum_) return;
    best_sum_ = sum;
    best_.assign(state.best.begin(), state.best.end());
    pooled_.assign(state.pooled.begin(), state.pooled.end());
    Vector<std::uint32_t> box(state.rows.get_allocator());
    auto row = state.rows.begin();
    for (std::size_t at = 0; at < state.sizes.size(); ++at) {
        box.assign(row, row + state.sizes[at]);
        row += state.sizes[at];
        pool_.add(box, state.costs[at]);
    }
    is_in_round_ = false;
    target_ = state.aims[0];
    refused_ = state.aims[1];
    if (state.aims[2] > 0) too_long_ = state.aims[2];
    last_target_ = state.aims[3];
    last_work_ = state.aims[4];
    most_round_work_ =
        std::max(most_round_work_, static_cast<std::int64_t>(state.aims[5]));
    if (state.aims[6] >= 1) growth_ = state.aims[6];
    may_be_negative_ = state.aims[7] > 0;
}

}  // namespace ostrya
