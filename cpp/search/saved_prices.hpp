/// Prices of rows as bytes, and back.
#pragma once

#include <cstdint>

#include "objective/problem.hpp"
#include "prices/price_state.hpp"
#include "search/saved_bytes.hpp"

namespace ostrya {

inline constexpr std::size_t bytes_of_price = sizeof(Price) + sizeof(double);
inline constexpr std::size_t bytes_of_row = 2 * sizeof(std::uint32_t);  // and its box

void write_prices(const PriceState& state, ByteWriter& to);

/// What `write_prices` wrote, after a number that says whether it did. Throws where it
/// cannot be of this problem, the best tree of which costs no more than `upper`.
PriceState read_prices(ByteReader& from, const Problem& problem, Cost upper);

}  // namespace ostrya
