/// The engine over leaf sets, as `_core.solve_leaf_sets`.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_leaf_sets(nanobind::module_& module);

}  // namespace ostrya
