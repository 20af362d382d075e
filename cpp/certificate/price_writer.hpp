/// Finds dual prices for a certificate, and writes them with their proof (B10).
#pragma once

#include <cstdint>
#include <optional>

#include "certificate/group_table.hpp"
#include "certificate/proof_bytes.hpp"
#include "objective/price_scale.hpp"
#include "watch/stop.hpp"

namespace ostrya::certificate {

/// Seek prices for a bound with this much work (rows looked at), and write them as a
/// certificate has them: nothing is written, and nothing returned, where none are found
/// or their proof takes too long.
std::optional<Vector<Price>> write_prices(const Problem& problem,
                                          const GroupTable& table, Cost bound,
                                          std::int64_t work, StopSign& stop,
                                          MemoryBudget& memory, ProofBytes& bytes);

}  // namespace ostrya::certificate
