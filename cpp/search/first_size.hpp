/// Where a search of many sizes begins.
#pragma once

#include <cstdint>

#include "objective/cost.hpp"

namespace ostrya {

/// With which size to begin, and what the best tree of the one before loses, base
/// included. Of all smaller trees none costs less than the `upper` of the options.
struct FirstSize {
    std::uint32_t n_leaves = 1;
    Weight loss = 0;
};

}  // namespace ostrya
