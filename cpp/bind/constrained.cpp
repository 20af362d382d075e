#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind/functions.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "constrained/search.hpp"

namespace ostrya {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

/// The result, and the label of each node of its tree: one that a direction demands may
/// not be the cheapest one.
std::tuple<values::Result, std::vector<std::uint32_t>> solve_constrained(
    const Rows& values, const ClassCodes& codes, const Weights& weights,
    const Costs& costs, Cost scale, Cost penalty, const values::Limits& limits,
    const std::vector<std::int8_t>& directions, const Groups& groups, Cost lower,
    std::optional<std::uint64_t> effort, Callback on_progress, Question is_interrupted,
    const values::AllocationTrouble& trouble) {
    const Request request =
        request_to_count({values, codes, weights, costs, {scale, penalty}}, limits);
    WatchedCall call(limits, std::move(on_progress), std::move(is_interrupted));
    plan_trouble(call.memory, trouble);
    constrained::Outcome found;
    call.run([&] {
        const Problem problem = build_problem(request, call.memory, call.stop_check());
        if (problem.is_complete) {
            found = constrained::search(problem, {directions, groups}, lower, effort,
                                        call.stop, call.progress, call.memory);
        } else {
            found = constrained::lone_leaf(problem, call.stop);
        }
    });
    return {result_of(found.result, found.thresholds, call.progress), found.labels};
}

}  // namespace

void add_constrained(nb::module_& module) {
    module.def("solve_constrained", &solve_constrained, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("limits"), nb::arg("directions"),
               nb::arg("groups"), nb::arg("lower"), nb::arg("effort") = nb::none(),
               nb::arg("on_progress") = nb::none(),
               nb::arg("is_interrupted") = nb::none(),
               nb::arg("trouble") = values::AllocationTrouble());
}

}  // namespace ostrya
