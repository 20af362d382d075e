#include "kernels/isa_kernels.hpp"

namespace ostrya {

KernelTables avx2_tables() {
    return isa_tables;
}

}  // namespace ostrya
