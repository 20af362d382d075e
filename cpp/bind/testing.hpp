/// The problem that a function of the submodule `_core.testing` looks at.
#pragma once

#include "bind/translate.hpp"

namespace ostrya {

Problem problem_of(const TrainingRows& rows, const values::Options& options,
                   MemoryBudget& memory);

}  // namespace ostrya
