/// The search over fronts, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_fronts(nanobind::module_& module);

}  // namespace ostrya
