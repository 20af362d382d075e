/// Results of the engines as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include "objective/found_tree.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace nb = nanobind;

namespace ostrya {

/// The tree, its cost and bound, the trace and the statistics.
nb::dict to_dict(const Result& result, const Thresholds& thresholds,
                 const Progress& progress);

}  // namespace ostrya
