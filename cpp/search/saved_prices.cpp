#include "search/saved_prices.hpp"

#include <cmath>

namespace ostrya {
namespace {

/// A number that is neither infinite nor out of all proportion.
double read_double(ByteReader& from) {
    const auto number = from.read<double>();
    if (!(std::abs(number) < 1e18)) {
        throw SavedFactsError("it contains an impossible number");
    }
    return number;
}

}  // namespace

void write_prices(const PriceState& state, ByteWriter& to) {
    for (const Price each : state.best) to.add(each);
    for (const double each : state.pooled) to.add(each);
    for (const double each : state.aims) to.add(each);
    to.add(static_cast<std::uint32_t>(state.sizes.size()));
    auto row = state.rows.begin();
    for (std::size_t at = 0; at < state.sizes.size(); ++at) {
        to.add(state.costs[at]);
        to.add(state.sizes[at]);
        for (std::uint32_t n = 0; n < state.sizes[at]; ++n) to.add(*row++);
    }
}

/// The sum of prices is a lower bound too.
PriceState read_prices(ByteReader& from, const Problem& problem, Cost upper) {
    PriceState state(problem.keys.get_allocator().budget());
    if (from.read<std::uint32_t>() == 0) return state;
    if (problem.n_groups * bytes_of_price > from.n_left()) {
        throw SavedFactsError("it is incomplete");
    }
    std::int64_t sum = 0;
    for (std::size_t group = 0; group < problem.n_groups; ++group) {
        state.best.push_back(from.read<Price>());
        sum += state.best.back();
    }
    if (PriceScale(problem).cost_of(sum) > upper) {
        throw SavedFactsError("it contains dual prices that contradict its tree");
    }
    for (std::size_t group = 0; group < problem.n_groups; ++group) {
        state.pooled.push_back(read_double(from));
    }
    for (double& each : state.aims) each = read_double(from);
    for (auto left = from.read<std::uint32_t>(); left > 0; --left) {
        state.costs.push_back(read_double(from));
        state.sizes.push_back(from.read<std::uint32_t>());
        if (state.costs.back() < 0 || state.sizes.back() == 0) {
            throw SavedFactsError("it contains an impossible box");
        }
        for (std::uint32_t n = 0; n < state.sizes.back(); ++n) {
            state.rows.push_back(from.read<std::uint32_t>());
            if (state.rows.back() >= problem.n_groups) {
                throw SavedFactsError(
                    "it contains a row that this table does not have");
            }
        }
    }
    return state;
}

}  // namespace ostrya
