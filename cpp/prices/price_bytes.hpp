/// What prices of a problem take, reckoned before there are any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "objective/problem.hpp"

namespace ostrya {

/// Bytes of `RowPrices` with its tables, near enough to leave prices alone where they
/// do not fit; `most_cuts` as there. Boxes met later come on top.
std::uint64_t price_bytes(const Problem& problem, std::size_t most_cuts);

}  // namespace ostrya
