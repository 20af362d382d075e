/// The search for every number of leaves, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_sizes(nanobind::module_& module);

}  // namespace ostrya
