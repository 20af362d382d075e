#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/functions.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "fronts/search.hpp"

namespace ostrya {
namespace {

/// Asks the caller for a loss. What it raises ends the search: Ctrl-C with the best
/// tree so far, anything else is raised after it.
class LossQuestion {
public:
    LossQuestion(const values::Monotone& measure, StopSign& stop, Watcher& watcher)
        : loss_(measure.loss), stop_(stop), watcher_(watcher) {}

    std::optional<Cost> operator()(Weight false_positives,
                                   Weight false_negatives) const {
        // The function may be slow: time may be over after any call of it.
        if (stop_.is_up()) return std::nullopt;
        const nb::gil_scoped_acquire lock;
        try {
            return nb::cast<Cost>(loss_(false_positives, false_negatives));
        } catch (nb::python_error& error) {
            if (error.matches(PyExc_KeyboardInterrupt)) {
                stop_.interrupt();
            } else {
                watcher_.keep(error);
            }
            return std::nullopt;
        }
    }

private:
    // Of the caller's own arguments, which outlive the search: no count of references
    // is touched without the interpreter lock.
    nb::handle loss_;
    StopSign& stop_;
    Watcher& watcher_;
};

values::Result solve_fronts(const Rows& values, const ClassCodes& codes,
                            const Weights& weights, const Costs& prices, Cost penalty,
                            const values::FrontOptions& options,
                            const values::Monotone& measure, Callback on_progress,
                            Question is_interrupted) {
    const TrainingRows rows{values, codes, weights, prices, {1, penalty}};
    const Request request = request_of(rows, options);
    const fronts::Options chosen = options_of(rows, options);
    WatchedCall call(options.limits, std::move(on_progress), std::move(is_interrupted));
    Result result;
    Thresholds thresholds;
    call.run([&] {
        const leaf_sets::Table table =
            leaf_sets::build_table(request, true, call.memory, call.stop_check());
        leaf_sets::SplitRule rule;
        rule.fewest_rows = options.limits.min_samples_leaf;
        leaf_sets::LeafCache leaves(table, rule, call.stop, call.memory);
        fronts::LossTable loss(LossQuestion(measure, call.stop, call.watcher),
                               call.memory);
        fronts::Search search(leaves, loss, chosen, call.stop, call.progress);
        result = search.run();
        thresholds = thresholds_of(result.tree, request.values, table.rows);
    });
    return result_of(result, thresholds, call.progress);
}

}  // namespace

void add_fronts(nb::module_& module) {
    module.def("solve_fronts", &solve_fronts, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("prices"), nb::arg("penalty"),
               nb::arg("options"), nb::arg("measure"),
               nb::arg("on_progress") = nb::none(),
               nb::arg("is_interrupted") = nb::none());
}

}  // namespace ostrya
