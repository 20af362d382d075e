#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <memory>

#include "bind/functions.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "leaf_sets/additive.hpp"
#include "leaf_sets/f_score.hpp"
#include "leaf_sets/monotone.hpp"
#include "leaf_sets/roc_area.hpp"
#include "leaf_sets/search.hpp"

namespace ostrya {
namespace {

using namespace leaf_sets;

/// The caller's loss, as the engine calls it.
class CallerLoss {
public:
    CallerLoss(const values::Monotone& measure, Watcher& watcher)
        : loss_(measure.loss), watcher_(watcher) {}

    /// What it raises ends the search, and is raised after it.
    Cost operator()(Weight false_positives, Weight false_negatives) const {
        const nb::gil_scoped_acquire lock;
        try {
            return nb::cast<Cost>(loss_(false_positives, false_negatives));
        } catch (nb::python_error& error) {
            watcher_.keep(error);
            return 0;
        }
    }

private:
    // Of the caller's own arguments, which outlive the search: no count of references
    // is touched without the interpreter lock.
    nb::handle loss_;
    Watcher& watcher_;
};

SplitRule rule_of(const values::Measure& measure, CostScale scale,
                  const leaf_sets::Options& options) {
    if (std::holds_alternative<values::Additive>(measure)) {
        return Additive::rule(scale, options);
    }
    return std::holds_alternative<values::Monotone>(measure) ? Monotone::rule(options)
                                                             : Hull::rule(options);
}

std::unique_ptr<Criterion> criterion_of(const values::Measure& measure, CostScale scale,
                                        LeafCache& leaves,
                                        const leaf_sets::Options& options,
                                        Watcher& watcher) {
    if (const auto* area = std::get_if<values::RocArea>(&measure)) {
        const Reach reach{area->numerator, area->denominator, area->multiple,
                          area->divisor};
        return std::make_unique<RocArea>(leaves, scale, options, reach);
    }
    if (const auto* score = std::get_if<values::FScore>(&measure)) {
        return std::make_unique<FScore>(leaves, scale, options, score->numerator,
                                        score->denominator, score->resolution);
    }
    if (const auto* monotone = std::get_if<values::Monotone>(&measure)) {
        return std::make_unique<Monotone>(leaves, scale.penalty, options,
                                          CallerLoss(*monotone, watcher));
    }
    return std::make_unique<Additive>(leaves, scale, options);
}

values::Result solve_leaf_sets(const Rows& values, const ClassCodes& codes,
                               const Weights& weights, const Costs& costs, Cost scale,
                               Cost penalty, const values::LeafSetOptions& options,
                               const values::Measure& measure, Callback on_progress,
                               Question is_interrupted) {
    const CostScale cost_scale{scale, penalty};
    const Request request =
        request_of({values, codes, weights, costs, cost_scale}, options);
    const leaf_sets::Options chosen = options_of(options);
    WatchedCall call(options.limits, std::move(on_progress), std::move(is_interrupted));
    plan_trouble(call.memory, options.trouble);
    Result result;
    Thresholds thresholds;
    call.run([&] {
        const Table table =
            build_table(request, chosen.switches.equivalent_points.is_on, call.memory,
                        call.stop_check());
        LeafCache leaves(table, rule_of(measure, cost_scale, chosen), call.stop,
                         call.memory);
        const auto criterion =
            criterion_of(measure, cost_scale, leaves, chosen, call.watcher);
        Search search(leaves, *criterion, penalty, chosen, call.stop, call.progress);
        result = search.run();
        thresholds = thresholds_of(result.tree, request.values, table.rows);
    });
    return result_of(result, thresholds, call.progress);
}

}  // namespace

void add_leaf_sets(nb::module_& module) {
    module.def("solve_leaf_sets", &solve_leaf_sets, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("measure"),
               nb::arg("on_progress") = nb::none(),
               nb::arg("is_interrupted") = nb::none());
}

}  // namespace ostrya
