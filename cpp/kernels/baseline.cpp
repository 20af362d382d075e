#include "kernels/isa_kernels.hpp"

namespace ostrya {

KernelTables baseline_tables() {
    return isa_tables;
}

}  // namespace ostrya
