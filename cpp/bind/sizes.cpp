#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/functions.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "search/engine.hpp"

namespace ostrya {
namespace {

std::vector<values::Result> solve_sizes(const Rows& values, const ClassCodes& codes,
                                        const Weights& weights, const Costs& costs,
                                        Cost scale, Cost penalty,
                                        const values::Options& options,
                                        std::uint32_t first, Weight loss,
                                        Callback on_progress, Question is_interrupted) {
    const Request request =
        request_of({values, codes, weights, costs, {scale, penalty}}, options);
    WatchedCall call(options.limits, std::move(on_progress), std::move(is_interrupted));
    plan_trouble(call.memory, options.trouble);
    if (options.max_work) call.stop.end_after({.work = *options.max_work});
    std::vector<values::Result> out;
    call.run([&] {
        const Problem problem = build_problem(request, call.memory, call.stop_check());
        for (const Result& result :
             search_sizes(request, problem, options_of(options), {first, loss},
                          call.stop, call.progress, call.memory)) {
            const Thresholds thresholds =
                thresholds_of(result.tree, request.values, problem.rows);
            out.push_back(result_of(result, thresholds, call.progress));
        }
    });
    return out;
}

}  // namespace

void add_sizes(nb::module_& module) {
    module.def("solve_sizes", &solve_sizes, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("first"),
               nb::arg("loss"), nb::arg("on_progress") = nb::none(),
               nb::arg("is_interrupted") = nb::none());
}

}  // namespace ostrya
