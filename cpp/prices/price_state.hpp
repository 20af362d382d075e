/// How far the search for prices has come: all that another one needs to go on.
#pragma once

#include <array>
#include <cstdint>

#include "memory/budget.hpp"
#include "objective/price_scale.hpp"

namespace ostrya {

/// Only `best` is proved: feasible prices. The rest says where to look for better ones,
/// and can do no harm.
struct PriceState {
    explicit PriceState(MemoryBudget& memory)
        : best(memory), pooled(memory), costs(memory), sizes(memory), rows(memory) {}

    Vector<Price> best;            // of all row groups; none: nothing is known
    Vector<double> pooled;         // prices by the pool
    std::array<double, 8> aims{};  // targets, and what the last rounds took
    // The boxes of the pool: what each costs, how many rows it has, and all their rows.
    Vector<double> costs;
    Vector<std::uint32_t> sizes;
    Vector<std::uint32_t> rows;
};

}  // namespace ostrya
