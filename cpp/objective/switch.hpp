/// A bound's switch, shared by both engines.
#pragma once

#include "objective/cost.hpp"

namespace ostrya {

/// One bound's switch. `slip` is zero but in tests that plant a deliberate mistake: it
/// is added to the bound, and the test suite must notice.
struct Switch {
    bool is_on = true;
    Cost slip = 0;
};

}  // namespace ostrya
