/// Rashomon sets, as `_core.RashomonTrees`.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_rashomon(nanobind::module_& module);

}  // namespace ostrya
