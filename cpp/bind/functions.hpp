/// What each file of this folder adds to the module.
#pragma once

#include "bind/values.hpp"

namespace ostrya {

void add_certificate(nb::module_& module);
void add_constrained(nb::module_& module);
void add_equal_rows(nb::module_& module);
void add_fronts(nb::module_& module);
void add_leaf_sets(nb::module_& module);
void add_ranking(nb::module_& module);
void add_rashomon(nb::module_& module);
void add_routing(nb::module_& module);
void add_sizes(nb::module_& module);
void add_testing(nb::module_& module);
void add_price_testing(nb::module_& module);

}  // namespace ostrya
