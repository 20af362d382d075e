/// Which rows of a matrix are equal, as `_core.number_rows`.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_equal_rows(nanobind::module_& module);

}  // namespace ostrya
