#include "bind/sizes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/resident_memory.hpp"
#include "bind/translate.hpp"
#include "bind/watcher.hpp"
#include "search/engine.hpp"

namespace ostrya {
namespace {

std::vector<values::Result> solve_sizes(const Numbers& values, const ClassCodes& codes,
                                        const Weights& weights, const Costs& costs,
                                        Cost scale, Cost penalty,
                                        const values::Options& options,
                                        std::uint32_t first, Weight loss,
                                        Callback on_progress, Question is_interrupted) {
    const Request request =
        request_of({values, codes, weights, costs, {scale, penalty}}, options);
    StopSign stop(options.limits.time_limit);
    Progress progress;
    Watcher watcher(stop, progress, std::move(on_progress), std::move(is_interrupted));
    watcher.look();  // for a Ctrl-C that came in before
    std::vector<values::Result> out;
    {
        const nb::gil_scoped_release unlocked;
        stop.look_now_and_then([&] { watcher.look(); });
        MemoryBudget memory;
        set_search_limit(memory, options.limits.memory_limit);
        plan_trouble(memory, options.trouble);
        const Problem problem = build_problem(
            request, memory, [&] { return is_out_of_limits(memory, stop); });
        for (const Result& result :
             search_sizes(request, problem, options_of(options), {first, loss}, stop,
                          progress, memory)) {
            const Thresholds thresholds =
                thresholds_of(result.tree, request.values, problem.rows);
            out.push_back(result_of(result, thresholds, progress));
        }
    }
    watcher.raise_kept_error();
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
