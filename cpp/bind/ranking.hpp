/// A table ranked once for several searches, as `_core.rank_rows`.
#pragma once

#include <nanobind/nanobind.h>

namespace ostrya {

void add_ranking(nanobind::module_& module);

}  // namespace ostrya
