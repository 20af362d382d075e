/// What Python gives the engines and gets back: plain values with typed attributes.
/// `translate.cpp` turns most of them into what the engines take.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bounds/switches.hpp"
#include "data/matrix.hpp"
#include "leaf_sets/options.hpp"
#include "search/root_part.hpp"
#include "tuning/tuning.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace nb = nanobind;

namespace ostrya {

/// Rows and columns of numbers, laid out either way.
using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::any_contig, nb::device::cpu>;
using ClassCodes =
    nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RankedColumns =
    nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowNumbers =
    nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// A step of 0 is allowed: one weight seen many times.
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
using Costs =
    nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// Called while a search runs; true stops it.
using Callback = std::optional<nb::typed<nb::callable, bool(TracePoint)>>;
/// Asked while a search runs; true stops it.
using Question = std::optional<nb::typed<nb::callable, bool()>>;

/// A view of them.
inline Cells cells_of(const Numbers& rows) {
    return {rows.data(), rows.shape(0), rows.shape(1),
            static_cast<std::size_t>(rows.stride(0)),
            static_cast<std::size_t>(rows.stride(1))};
}

/// Stored columns, and how those that a search sees are computed from them.
struct CodedRows {
    Numbers cells;
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> lookups;
    std::vector<ColumnRule> rules;
};

/// What a search reads: a plain matrix, or one in which categories are coded.
using Rows = std::variant<Numbers, CodedRows>;

/// A view of the stored numbers.
inline Cells cells_of(const Rows& rows) {
    const auto* coded = std::get_if<CodedRows>(&rows);
    return cells_of(coded != nullptr ? coded->cells : std::get<Numbers>(rows));
}
/// A view of the columns that a search sees.
inline Matrix matrix_of(const Rows& rows) {
    const auto* coded = std::get_if<CodedRows>(&rows);
    if (coded == nullptr) return {cells_of(rows), {}};
    return {cells_of(rows), coded->rules};
}

namespace values {

/// None: no limit.
struct Limits {
    std::optional<std::uint32_t> max_depth;
    std::optional<std::uint32_t> max_leaves;
    std::uint32_t min_samples_leaf = 1;
    std::optional<double> time_limit;           // seconds
    std::optional<std::uint64_t> memory_limit;  // bytes the process may hold
};

/// For tests: which allocation of a search fails, or is the last one within its limit.
struct AllocationTrouble {
    std::optional<std::uint64_t> fails;
    std::optional<std::uint64_t> exhausts;
};

struct TopK {
    std::vector<std::uint32_t> widths;  // k at each level; the last one holds on
    std::string criterion;
    bool ranks_features = false;
    std::optional<bool> by_rows;           // for tests
    std::optional<nb::callable> impurity;  // for the criterion "own"
};

/// What `rank_rows` tells of these rows, or of a table that they are taken from.
struct Ranking {
    RankedColumns ranks;
    RowNumbers numbers;
};

/// Takes a view of bytes that is good for the call alone.
using TakesBytes = nb::typed<nb::callable, void(nb::object)>;

/// What an earlier search kept, and who takes what this one keeps; what others tell
/// that search the same problem, and who tells them.
struct Checkpoint {
    std::optional<nb::bytes> facts;
    TakesBytes keep;
    double seconds = 60;  // between two calls
    std::vector<nb::bytes> told;
    std::optional<TakesBytes> tell;
    std::uint64_t most_told_bytes = 0;
};

/// What the engine over columns is told.
struct Options {
    Limits limits;
    std::optional<Cost> upper;  // only trees cheaper than this are wanted
    std::optional<ClassCodes> reference;
    std::optional<Costs> gains;  // what each label gains on each row; none: from codes
    Switches bounds;
    std::optional<TopK> top_k;
    std::optional<std::uint64_t> effort;    // nanoseconds after which small depths do
    std::optional<std::uint64_t> max_work;  // work after which it ends with what it has
    std::optional<std::uint32_t> few_cuts;  // for tests, as the next two
    std::optional<bool> cross_tables;
    Tuning tuning;
    AllocationTrouble trouble;
    std::uint32_t n_threads = 1;
    bool logs_tasks = false;         // for a simulation of many threads
    std::optional<Ranking> ranking;  // of the rows, where it is known
    std::optional<Checkpoint> checkpoint;
    std::optional<double> hand_over;  // seconds after which others go on
    std::shared_ptr<RootPart> part;   // of the root's splits; null: all
    std::optional<Cost> optimum;      // proved elsewhere: only the tree is chosen
};

/// What the engine over leaf sets is told.
struct LeafSetOptions {
    Limits limits;
    std::optional<Cost> upper;
    std::string policy;
    leaf_sets::Switches bounds;
    AllocationTrouble trouble;
};

/// What the search over fronts is told.
struct FrontOptions {
    Limits limits;
    std::optional<Cost> upper;
    Cost lower;  // no tree is known to be cheaper
    Cost shift;  // what a wanted tree costs at least beyond its priced cost
};

/// The objectives of the engine over leaf sets, in integers.
struct Additive {};
struct RocArea {
    Weight numerator;  // of the largest false positive rate
    Weight denominator;
    Weight multiple;  // a pair of rows counts multiple / divisor units
    Weight divisor;
};
struct FScore {
    Weight numerator;  // of beta squared
    Weight denominator;
    Weight resolution;
};
struct Monotone {
    nb::typed<nb::callable, Cost(Weight, Weight)> loss;  // of both kinds of error
};
using Measure = std::variant<Additive, RocArea, FScore, Monotone>;

/// A tree as arrays in preorder, and what was proved of it.
struct Result {
    std::vector<std::int32_t> feature;  // -1 at leaves
    std::vector<double> threshold;      // not a number at leaves
    std::vector<std::int32_t> yes, no;  // -1 at leaves
    Cost lower = 0;
    Cost upper = 0;
    std::string status;
    std::uint32_t proved_depth = 0;
    std::vector<TracePoint> trace;
    Statistics statistics;
    std::vector<LoggedTask> tasks;
    std::optional<SplitTable> splits;
};

}  // namespace values

void add_values(nb::module_& module);
void add_tuning(nb::module_& module);

}  // namespace ostrya
