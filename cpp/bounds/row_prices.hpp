/// B10: rows have prices, and a tree costs at least what its rows pay together.
///
/// The dual of covering each row by one leaf (Firat et al. 2020, EJOR; Subramanian and
/// Sun 2023 solve that linear program by column generation). Here one set of prices
/// bounds every subproblem of the search.
#pragma once

#include <algorithm>

#include "bounds/switches.hpp"
#include "objective/price_scale.hpp"

namespace ostrya {

/// Lower bound of a set of rows, from the sum of their prices.
///
/// No box of rows pays more than it costs as one leaf. The leaves of a tree are boxes
/// and part its rows, so the tree costs at least what all of its rows pay.
inline Cost price_lower(std::int64_t sum, const PriceScale& scale,
                        const Switch& row_prices) {
    if (!row_prices.is_on) return 0;
    return std::max<Cost>(scale.cost_of(sum) + row_prices.slip, 0);
}

}  // namespace ostrya
