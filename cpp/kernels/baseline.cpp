#include "kernels/isa_kernels.hpp"
#include "kernels/tables.hpp"

namespace ostrya {

KernelTables baseline_tables() {
    return {&binary_table<std::int32_t>,
            &binary_table<std::int64_t>,
            &general_table<std::int32_t>,
            &general_table<std::int64_t>,
            compress,
            &cross_table<std::uint16_t>,
            &cross_table<std::uint32_t>,
            &loss_table<std::int16_t>,
            &loss_table<std::int32_t>};
}

}  // namespace ostrya
