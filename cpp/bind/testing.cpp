#include "bind/testing.hpp"

#include "bind/functions.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "bind/failing_new.hpp"
#include "bind/translate.hpp"
#include "bounds/depth_transfer.hpp"
#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"
#include "bounds/look_ahead.hpp"
#include "bounds/pairs_close.hpp"
#include "bounds/similar_support.hpp"
#include "bounds/superset.hpp"
#include "bounds/support.hpp"
#include "data/digest.hpp"
#include "greedy/greedy_search.hpp"
#include "search/inspect.hpp"

namespace ostrya {

Problem problem_of(const TrainingRows& rows, const values::Options& options,
                   MemoryBudget& memory) {
    return build_problem(request_of(rows, options), memory, [] { return false; });
}

namespace {

nb::tuple to_tuple(const ChildCosts& costs) {
    return nb::make_tuple(costs.leaf, costs.two, costs.more);
}

/// Bounds of every split of the root; costs are above `base`.
nb::dict split_bounds(const Rows& values, const ClassCodes& codes,
                      const Weights& weights, const Costs& costs, Cost scale,
                      Cost penalty, const values::Options& options) {
    MemoryBudget memory;
    const Problem problem =
        problem_of({values, codes, weights, costs, {scale, penalty}}, options, memory);
    const Options chosen = options_of(options);
    nb::list splits;
    for (const SplitReport& report : inspect_root(problem, chosen)) {
        const SplitColumn& column = problem.splits[report.split.column];
        const Vector<double>& distinct = problem.values[column.feature];
        const std::uint32_t cut = column.cuts[report.split.cut];
        nb::dict row;
        row["feature"] = column.feature;
        row["threshold"] = threshold_between(distinct[cut], distinct[cut + 1]);
        row["yes_costs"] = to_tuple(report.yes);
        row["no_costs"] = to_tuple(report.no);
        row["yes_lower"] = report.yes_lower;
        row["no_lower"] = report.no_lower;
        row["rest"] = report.rest;
        splits.append(row);
    }
    nb::dict out;
    out["base"] = scale * problem.base;
    out["splits"] = splits;
    return out;
}

/// The keys of the groups of a problem, low half and high half of each.
std::vector<std::pair<std::uint64_t, std::uint64_t>> row_keys_of(
    const Rows& values, const ClassCodes& codes, const Weights& weights,
    const Costs& costs, Cost scale, Cost penalty, const values::Options& options) {
    MemoryBudget memory;
    const Problem problem =
        problem_of({values, codes, weights, costs, {scale, penalty}}, options, memory);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
    for (const RowHash& key : problem.keys) out.emplace_back(key.low, key.high);
    return out;
}

/// What a call whose time is up would return: a greedy tree and its cost.
values::Result greedy_tree(const Rows& values, const ClassCodes& codes,
                           const Weights& weights, const Costs& costs, Cost scale,
                           Cost penalty, const values::Options& options) {
    const Request request =
        request_of({values, codes, weights, costs, {scale, penalty}}, options);
    MemoryBudget memory;
    CountedTree found = grow_quickly(request, options.tuning.greedy, memory);
    Vector<std::uint32_t> rows(request.values.n_rows(), 0, memory);
    std::iota(rows.begin(), rows.end(), 0);
    Result result;
    result.tree = std::move(found.tree);
    result.upper = found.cost;
    result.status = Status::time_limit;
    const Thresholds thresholds = thresholds_of(result.tree, request.values, rows);
    return result_of(result, thresholds, Progress());
}

/// The digest of some bytes under a key of eight words.
nb::bytes digest_of(const nb::bytes& bytes, const Digest::Words& key) {
    Digest digest(key);
    digest.add(bytes.data(), bytes.size());
    const Digest::Words words = digest.finish();
    return nb::bytes(words.data(), sizeof words);
}

/// Seconds that all pairs of splits of the root take.
double pair_seconds(const Rows& values, const ClassCodes& codes, const Weights& weights,
                    const Costs& costs, const values::Options& options, int repeats) {
    MemoryBudget memory;
    const Problem problem =
        problem_of({values, codes, weights, costs, {1, 0}}, options, memory);
    return time_root_pairs(problem, options_of(options), repeats);
}

}  // namespace

void add_testing(nb::module_& module) {
#if defined(OSTRYA_FAILING_NEW)
    module.def("fail_allocation", &fail_allocation, nb::arg("n"));
    module.def("failing_allocation", &failing_allocation);
    module.def("live_allocations", &live_allocations);
#endif
    module.def("pair_seconds", &pair_seconds, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("options"),
               nb::arg("repeats"));
    module.def("digest", &digest_of, nb::arg("bytes"), nb::arg("key"));
    module.def("greedy_tree", &greedy_tree, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"));
    module.def("row_keys", &row_keys_of, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"));
    add_price_testing(module);
    module.def("split_bounds", &split_bounds, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"));
    module.def(
        "most_leaves_under",
        [](Cost budget, Cost penalty, Cost slip) {
            return most_leaves_under(budget, {1, penalty}, {true, slip});
        },
        nb::arg("budget"), nb::arg("penalty"), nb::arg("slip") = 0);
    module.def(
        "leaf_is_optimal",
        [](Weight loss, Cost scale, Cost penalty, Cost slip) {
            return leaf_is_optimal(loss, {scale, penalty}, {true, slip});
        },
        nb::arg("loss"), nb::arg("scale"), nb::arg("penalty"), nb::arg("slip") = 0);
    module.def(
        "support_floor",
        [](Cost scale, Cost penalty, Cost slip) {
            return support_floor({scale, penalty}, {true, slip});
        },
        nb::arg("scale"), nb::arg("penalty"), nb::arg("slip") = 0);
    module.def(
        "superset_lower",
        [](Cost lower, Cost slip) { return superset_lower(lower, {true, slip}); },
        nb::arg("subset_lower"), nb::arg("slip") = 0);
    module.def(
        "similar_lower",
        [](Cost lower, Weight difference, Cost scale, Cost slip) {
            return similar_lower(lower, difference, {scale, 0}, {true, slip});
        },
        nb::arg("lower"), nb::arg("difference"), nb::arg("scale"), nb::arg("slip") = 0);
    module.def(
        "child_costs",
        [](Weight leaf, Weight two, Weight cell, Cost scale, Cost penalty, Cost slip) {
            return to_tuple(child_costs({leaf, two, cell, unreachable},
                                        {scale, penalty}, {true, slip}));
        },
        nb::arg("leaf"), nb::arg("two"), nb::arg("cell"), nb::arg("scale"),
        nb::arg("penalty"), nb::arg("slip") = 0);
    module.def(
        "deeper_lower",
        [](std::array<Cost, 3> yes, std::array<Cost, 3> no, Cost slip) {
            return deeper_lower({yes[0], yes[1], yes[2]}, {no[0], no[1], no[2]},
                                {true, slip});
        },
        nb::arg("yes_costs"), nb::arg("no_costs"), nb::arg("slip") = 0);
    module.def(
        "transferred_lower",
        [](Cost lower, std::optional<std::uint32_t> proved_depth,
           std::optional<std::uint32_t> asked_depth, Cost slip) {
            const Limits proved{proved_depth.value_or(Limits::unlimited)};
            const Limits asked{asked_depth.value_or(Limits::unlimited)};
            return transferred_lower(lower, proved, asked, {true, slip});
        },
        nb::arg("lower"), nb::arg("proved_depth").none(), nb::arg("asked_depth").none(),
        nb::arg("slip") = 0);
#if defined(NDEBUG)
    module.attr("has_assertions") = false;
#else
    module.attr("has_assertions") = true;
#endif
}

}  // namespace ostrya
