/// The Python module `ostrya._core`: arrays in, a dictionary out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind/arguments.hpp"
#include "bind/leaf_sets.hpp"
#include "bind/resident_memory.hpp"
#include "bind/result.hpp"
#include "bind/testing.hpp"
#include "bind/watcher.hpp"
#include "kernels/kernels.hpp"
#include "search/engine.hpp"
#include "top_k/top_k_search.hpp"

namespace ostrya {
namespace {

nb::dict solve(const Numbers& values, const Codes& codes, const Weights& weights,
               const Costs& costs, Cost scale, Cost penalty, const nb::dict& options,
               nb::object on_progress) {
    const Arguments arguments(values, codes, weights, costs, {scale, penalty}, options);
    StopSign stop(arguments.options.time_limit);
    Progress progress;
    Watcher watcher(stop, progress, std::move(on_progress));
    Result result;
    Thresholds thresholds;
    {
        const nb::gil_scoped_release unlocked;
        stop.look_now_and_then([&] { watcher.look(); });
        const Problem problem =
            build_problem(arguments.request, [&] { return stop.is_late(); });
        const Options& options = arguments.options;
        MemoryBudget memory;
        set_search_limit(memory, options.memory_limit);
        result = options.top_k ? search_top_k(problem, options, stop, progress, memory)
                               : search(problem, options, stop, progress, memory);
        thresholds = thresholds_of(result.tree, arguments.request.values, problem.rows);
    }
    watcher.raise_kept_error();
    nb::dict out = to_dict(result, thresholds, progress);
    // Bounds guessed from a reference prove nothing about the true problem.
    if (arguments.request.reference && result.status == Status::optimal) {
        out["status"] = "guessed";
    }
    return out;
}

}  // namespace
}  // namespace ostrya

NB_MODULE(_core, module) {
    module.doc() = "The engine of ostrya.";
    module.def("solve", &ostrya::solve, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("on_progress").none());
    ostrya::add_leaf_sets(module);
    module.def("instruction_set",
               [] { return ostrya::name_of(ostrya::instruction_set()); });
    nb::module_ testing =
        module.def_submodule("testing", "Bounds one by one, for tests.");
    ostrya::add_testing(testing);
}
