/// How wide the sums of a search are: 32 bits, or 64.
#pragma once

#include "objective/problem.hpp"

namespace ostrya {

/// Whether all sums of the problem fit 32 bits, with room for what kernels add.
bool fits_narrow_sums(const Problem& problem);

}  // namespace ostrya
