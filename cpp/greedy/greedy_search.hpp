/// Greedy trees for tables that are too large to be searched in the time or the memory
/// there is: grown from samples of rows, counted on all of them.
#pragma once

#include "greedy/counted_tree.hpp"
#include "tuning/tuning.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// One greedy tree from few rows, within about a tenth of a second: for a call whose
/// time is up.
/// It holds about `quick_growth_bytes`.
CountedTree grow_quickly(const Request& request, const Tuning::Greedy& tuning,
                         MemoryBudget& memory);
std::uint64_t quick_growth_bytes(const Request& request, const Tuning::Greedy& tuning);

/// The best of greedy trees from more and more rows, as memory allows, until the search
/// is stopped or all rows were taken.
CountedTree grow_from_samples(const Request& request, const Tuning::Greedy& tuning,
                              StopSign& stop, MemoryBudget& memory);

/// The best of greedy trees from all rows, or as many as memory allows, within about a
/// second: one with any feature at the root, then one for each feature there.
CountedTree grow_from_features(const Request& request, const Tuning::Greedy& tuning,
                               StopSign& stop, MemoryBudget& memory);

}  // namespace ostrya
