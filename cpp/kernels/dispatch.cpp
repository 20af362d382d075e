/// Choice of instruction set at run time, once per process: one build runs anywhere.
#include <cstdlib>
#include <cstring>

#include "kernels/kernels.hpp"
#include "kernels/tables.hpp"

namespace ostrya {
namespace {

/// What the environment variable OSTRYA_INSTRUCTION_SET asks for, to rule a set out
/// when hunting a fault; it can only choose less than the machine has.
bool is_ruled_out(InstructionSet set) {
    const char* wanted = std::getenv("OSTRYA_INSTRUCTION_SET");
    if (wanted == nullptr) return false;
    if (std::strcmp(wanted, "baseline") == 0) return set != InstructionSet::baseline;
    if (std::strcmp(wanted, "avx2") == 0) return set == InstructionSet::avx512;
    return false;
}

InstructionSet detect() {
#if defined(OSTRYA_X86_KERNELS)
    __builtin_cpu_init();
    if (!is_ruled_out(InstructionSet::avx512) && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
        return InstructionSet::avx512;
    }
    if (!is_ruled_out(InstructionSet::avx2) && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2")) {
        return InstructionSet::avx2;
    }
#endif
    return InstructionSet::baseline;
}

KernelTables choose() {
#if defined(OSTRYA_X86_KERNELS)
    if (instruction_set() == InstructionSet::avx512) return avx512_tables();
    if (instruction_set() == InstructionSet::avx2) return avx2_tables();
#endif
    return baseline_tables();
}

const KernelTables& tables() {
    static const KernelTables chosen = choose();
    return chosen;
}

}  // namespace

InstructionSet instruction_set() {
    static const InstructionSet best = detect();
    return best;
}

const char* name_of(InstructionSet set) {
    switch (set) {
        case InstructionSet::avx512:
            return "avx512";
        case InstructionSet::avx2:
            return "avx2";
        default:
            return "baseline";
    }
}

Compress compress_kernel() {
    return tables().compress;
}

const ConditionKernels& condition_kernels() {
    return *tables().conditions;
}

template <>
const CrossKernels<std::uint16_t>& cross_kernels() {
    return *tables().cross_narrow;
}
template <>
const CrossKernels<std::uint32_t>& cross_kernels() {
    return *tables().cross_wide;
}

template <>
const LossKernels<std::int16_t>& loss_kernels() {
    return *tables().loss_narrow;
}
template <>
const LossKernels<std::int32_t>& loss_kernels() {
    return *tables().loss_wide;
}

template <>
const Kernels<std::int32_t>& binary_kernels() {
    return *tables().binary_narrow;
}
template <>
const Kernels<std::int64_t>& binary_kernels() {
    return *tables().binary_wide;
}
template <>
const Kernels<std::int32_t>& general_kernels() {
    return *tables().general_narrow;
}
template <>
const Kernels<std::int64_t>& general_kernels() {
    return *tables().general_wide;
}

}  // namespace ostrya
