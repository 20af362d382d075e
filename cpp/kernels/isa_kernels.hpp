/// All kernels for one instruction set; each including source is compiled with its
/// own compiler flags and names its own accessor.
///
/// Everything is in an anonymous namespace and uses no library templates: a function
/// shared between sources could be linked from the wrong one and trap on older
/// machines.
#pragma once

#include <utility>

#include "kernels/kernels.hpp"
#include "kernels/tables.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

// What the next loop writes is not among what it reads; too many arrays for __restrict
// to be believed.
#if defined(__clang__)
#define OSTRYA_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define OSTRYA_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define OSTRYA_INDEPENDENT_ITERATIONS
#endif

namespace ostrya {
namespace {

template <class T>
inline T least(T a, T b) {
    return b < a ? b : a;
}
template <class T>
inline T most(T a, T b) {
    return a < b ? b : a;
}

#include "kernels/compress_bits.hpp"
#include "kernels/count_bits.hpp"
#include "kernels/pair_binary.hpp"
#include "kernels/pair_few_labels.hpp"
#include "kernels/pair_general.hpp"
#include "kernels/pair_two_leaves.hpp"

#include "kernels/blocks.hpp"
#include "kernels/label_blocks.hpp"

#include "kernels/table_rows.hpp"

#include "kernels/cross_table.hpp"
#include "kernels/loss_table.hpp"

#include "kernels/condition_rows.hpp"

template <class Lane>
constexpr CrossKernels<Lane> cross_table{add_to_table<CrossCell<Lane>>,
                                         scan_cross<Lane>};
template <class Lane>
constexpr LossKernels<Lane> loss_table{add_to_table<Lane>, scan_losses<Lane>,
                                       sum_losses<Lane>, scan_loss_children<Lane>};

template <class Sum>
constexpr Kernels<Sum> binary_table{count<Sum>,
                                    binary_pair_losses<Sum>,
                                    binary_pair_losses_both<Sum>,
                                    binary_pair_bounds<Sum>,
                                    binary_pair_bounds_both<Sum>,
                                    binary_distances<Sum>,
                                    sum_blocks<Sum>,
                                    mark_blocks<Sum>,
                                    gain_labels<Sum>,
                                    best_boundary<Sum>,
                                    mark_labels<Sum>,
                                    two_leaves<Sum>};
template <class Sum>
constexpr Kernels<Sum> general_table{count<Sum>,
                                     general_pair<false, Sum>,
                                     general_pair_both<false, Sum>,
                                     general_pair<true, Sum>,
                                     general_pair_both<true, Sum>,
                                     general_distances<Sum>,
                                     sum_blocks<Sum>,
                                     mark_blocks<Sum>,
                                     gain_labels<Sum>,
                                     best_boundary<Sum>,
                                     mark_labels<Sum>,
                                     two_leaves<Sum>};

constexpr ConditionKernels condition_table{sum_beyond,      part_rows,
                                           sort_conditions, count_failures,
                                           select_rows,     score_conditions};

/// What each including source hands out.
constexpr KernelTables isa_tables{&binary_table<std::int32_t>,
                                  &binary_table<std::int64_t>,
                                  &general_table<std::int32_t>,
                                  &general_table<std::int64_t>,
                                  compress,
                                  &cross_table<std::uint16_t>,
                                  &cross_table<std::uint32_t>,
                                  &loss_table<std::int16_t>,
                                  &loss_table<std::int32_t>,
                                  &condition_table};

}  // namespace
}  // namespace ostrya
