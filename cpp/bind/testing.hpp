/// The submodule `_core.testing`: every bound by itself.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_testing(nanobind::module_& module);

}  // namespace ostrya
