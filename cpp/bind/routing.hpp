/// Routing of rows, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_routing(nanobind::module_& module);

}  // namespace ostrya
