/// Certificates as Python calls for them.
#pragma once

#include "bind/values.hpp"

namespace ostrya {

void add_certificate(nb::module_& module);

}  // namespace ostrya
