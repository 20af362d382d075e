/// The kernel tables of each instruction set that was compiled in.
#pragma once

#include "kernels/kernels.hpp"

namespace ostrya {

struct KernelTables {
    const Kernels<std::int32_t>* binary_narrow;
    const Kernels<std::int64_t>* binary_wide;
    const Kernels<std::int32_t>* general_narrow;
    const Kernels<std::int64_t>* general_wide;
    Compress compress;
    const CrossKernels<std::uint16_t>* cross_narrow;
    const CrossKernels<std::uint32_t>* cross_wide;
    const LossKernels<std::int16_t>* loss_narrow;
    const LossKernels<std::int32_t>* loss_wide;
    const ConditionKernels* conditions;
};

KernelTables baseline_tables();
#if defined(OSTRYA_X86_KERNELS)
KernelTables avx2_tables();
KernelTables avx512_tables();
#endif

}  // namespace ostrya
