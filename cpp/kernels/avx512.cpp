#include "kernels/isa_kernels.hpp"

namespace ostrya {

KernelTables avx512_tables() {
    return isa_tables;
}

}  // namespace ostrya
