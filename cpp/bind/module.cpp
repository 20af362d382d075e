/// The Python module `ostrya._core`: arrays and options in, a result out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind/checkpoint.hpp"
#include "bind/functions.hpp"
#include "bind/own_impurity.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "kernels/kernels.hpp"
#include "search/engine.hpp"
#include "top_k/top_k_search.hpp"
#include "top_k/top_k_trees.hpp"

namespace ostrya {
namespace {

values::Result solve(const Rows& values, const ClassCodes& codes,
                     const Weights& weights, const Costs& costs, Cost scale,
                     Cost penalty, const values::Options& options, Callback on_progress,
                     Question is_interrupted) {
    const Request request =
        request_of({values, codes, weights, costs, {scale, penalty}}, options);
    WatchedCall call(options.limits, std::move(on_progress), std::move(is_interrupted));
    plan_trouble(call.memory, options.trouble);
    if (options.max_work) call.stop.end_after({.work = *options.max_work});
    std::optional<Checkpoint> checkpoint;
    if (options.checkpoint) {
        checkpoint = checkpoint_of(*options.checkpoint, call.watcher);
    }
    Result result;
    Thresholds thresholds;
    Options chosen = options_of(options);
    if (options.top_k && options.top_k->impurity) {
        chosen.top_k->own = own_impurity(*options.top_k->impurity, call.watcher);
    }
    call.run([&] {
        const Problem problem = build_problem(request, call.memory, call.stop_check());
        if (checkpoint) chosen.checkpoint = &*checkpoint;
        TopKTrees trees(problem, chosen.tuning, call.memory);
        // Guessed bounds would not hold for them, and a part of a root is not for them.
        if (!options.reference && chosen.part == nullptr) chosen.trees = &trees;
        result = chosen.top_k ? search_top_k(problem, chosen, call.stop, call.progress,
                                             call.memory)
                              : search(request, problem, chosen, call.stop,
                                       call.progress, call.memory);
        thresholds = thresholds_of(result.tree, request.values, problem.rows);
    });
    values::Result out = result_of(result, thresholds, call.progress);
    // Bounds guessed from a reference prove nothing about the true problem.
    if (request.reference && result.status == Status::optimal)
        out.status = "guessed_bounds";
    return out;
}

}  // namespace
}  // namespace ostrya

NB_MODULE(_core, module) {
    module.doc() = "The engine of ostrya.";
    ostrya::add_values(module);
    nb::exception<ostrya::SavedFactsError>(module, "SavedFactsError", PyExc_ValueError);
    module.def(
        "solve", &ostrya::solve, nb::arg("X"), nb::arg("codes"), nb::arg("weights"),
        nb::arg("costs"), nb::arg("scale"), nb::arg("penalty"), nb::arg("options"),
        nb::arg("on_progress") = nb::none(), nb::arg("is_interrupted") = nb::none());
    ostrya::add_certificate(module);
    ostrya::add_sizes(module);
    ostrya::add_leaf_sets(module);
    ostrya::add_fronts(module);
    ostrya::add_equal_rows(module);
    ostrya::add_ranking(module);
    ostrya::add_rashomon(module);
    ostrya::add_constrained(module);
    ostrya::add_routing(module);
    module.def("instruction_set",
               [] { return ostrya::name_of(ostrya::instruction_set()); });
    nb::module_ testing =
        module.def_submodule("testing", "Bounds one by one, for tests.");
    ostrya::add_testing(testing);
}
