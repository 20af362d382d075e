/// The search under constraints, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_constrained(nanobind::module_& module);

}  // namespace ostrya
