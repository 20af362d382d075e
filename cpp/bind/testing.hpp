/// The submodule `_core.testing`: every bound by itself.
#pragma once

#include <nanobind/nanobind.h>

#include "bind/translate.hpp"

namespace ostrya {

Problem problem_of(const TrainingRows& rows, const values::Options& options,
                   MemoryBudget& memory);

void add_testing(nanobind::module_& module);
void add_price_testing(nanobind::module_& module);

}  // namespace ostrya
