#include "bind/leaf_sets.hpp"

#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "bind/arguments.hpp"
#include "bind/resident_memory.hpp"
#include "bind/result.hpp"
#include "bind/watcher.hpp"
#include "leaf_sets/additive.hpp"
#include "leaf_sets/f_score.hpp"
#include "leaf_sets/monotone.hpp"
#include "leaf_sets/roc_area.hpp"
#include "leaf_sets/search.hpp"

namespace ostrya {
namespace {

using namespace leaf_sets;

leaf_sets::Switches leaf_set_switches(const nb::dict& options) {
    const auto on = nb::cast<nb::dict>(options["bounds"]);
    const auto slips = nb::cast<nb::dict>(options["slips"]);
    const auto part = [&](const char* name) { return switch_of(on, slips, name); };
    return {
        part("hierarchical"), part("look_ahead"),           part("equivalent_points"),
        part("node_support"), part("incremental_accuracy"), part("leaf_accuracy"),
        part("permutation"),  part("leaf_count"),           part("similar_support"),
        part("tangent"),      part("greedy_start")};
}

Policy policy_of(const std::string& name) {
    if (name == "lower_bound") return Policy::lower_bound;
    if (name == "objective") return Policy::objective;
    if (name == "entropy") return Policy::entropy;
    if (name == "breadth_first") return Policy::breadth;
    if (name == "depth_first") return Policy::depth;
    return Policy::curiosity;
}

leaf_sets::Options leaf_set_options(const nb::dict& dict) {
    leaf_sets::Options out;
    const nb::object upper = dict["upper"];
    if (!upper.is_none()) out.upper = nb::cast<Cost>(upper);
    out.limits = {limit_of(dict, "max_depth"), limit_of(dict, "max_leaves")};
    out.min_samples_leaf = nb::cast<std::uint32_t>(dict["min_samples_leaf"]);
    out.policy = policy_of(nb::cast<std::string>(dict["policy"]));
    out.switches = leaf_set_switches(dict);
    return out;
}

/// What to minimise, as the caller named it.
class Wanted {
public:
    Wanted(const nb::dict& measure, CostScale scale, Watcher& watcher)
        : kind_(nb::cast<std::string>(measure["kind"])),
          scale_(scale),
          watcher_(watcher) {
        if (kind_ == "roc_area") {
            reach_.negatives = nb::cast<Weight>(measure["reach"]);
            reach_.denominator = nb::cast<Weight>(measure["denominator"]);
            reach_.resolution = nb::cast<Weight>(measure["resolution"]);
        } else if (kind_ == "f_score") {
            above_ = nb::cast<Weight>(measure["above"]);
            below_ = nb::cast<Weight>(measure["below"]);
            resolution_ = nb::cast<Weight>(measure["resolution"]);
        } else if (kind_ == "monotone") {
            loss_ = measure["loss"];
        }
    }

    SplitRule rule(const leaf_sets::Options& options) const {
        if (kind_ == "additive") return Additive::rule(scale_, options);
        return kind_ == "monotone" ? Monotone::rule(options) : Hull::rule(options);
    }

    std::unique_ptr<Criterion> criterion(LeafCache& leaves,
                                         const leaf_sets::Options& options) const {
        if (kind_ == "roc_area") {
            return std::make_unique<RocArea>(leaves, scale_, options, reach_);
        }
        if (kind_ == "f_score") {
            return std::make_unique<FScore>(leaves, scale_, options, above_, below_,
                                            resolution_);
        }
        if (kind_ == "monotone") {
            return std::make_unique<Monotone>(
                leaves, scale_.penalty, options,
                [this](Weight fp, Weight fn) { return call(fp, fn); });
        }
        return std::make_unique<Additive>(leaves, scale_, options);
    }

private:
    /// The caller's loss. What it raises ends the search, and is raised after it.
    Cost call(Weight false_positives, Weight false_negatives) const {
        const nb::gil_scoped_acquire lock;
        try {
            return nb::cast<Cost>(loss_(false_positives, false_negatives));
        } catch (nb::python_error& error) {
            watcher_.keep(error);
            return 0;
        }
    }

    std::string kind_;
    CostScale scale_;
    Watcher& watcher_;
    Reach reach_;
    Weight above_ = 1, below_ = 1, resolution_ = 1;
    nb::object loss_;
};

nb::dict solve_leaf_sets(const Numbers& values, const Codes& codes,
                         const Weights& weights, const Costs& costs, Cost scale,
                         Cost penalty, const nb::dict& options, const nb::dict& measure,
                         nb::object on_progress) {
    const Arguments arguments(values, codes, weights, costs, {scale, penalty}, options);
    StopSign stop(arguments.options.time_limit);
    Progress progress;
    Watcher watcher(stop, progress, std::move(on_progress));
    const Wanted wanted(measure, {scale, penalty}, watcher);
    const leaf_sets::Options chosen = leaf_set_options(options);
    Result result;
    Thresholds thresholds;
    {
        const nb::gil_scoped_release unlocked;
        stop.look_now_and_then([&] { watcher.look(); });
        const Table table =
            build_table(arguments.request, chosen.switches.equivalent_points.is_on);
        MemoryBudget memory;
        set_search_limit(memory, arguments.options.memory_limit);
        LeafCache leaves(table, wanted.rule(chosen), stop, memory);
        const auto criterion = wanted.criterion(leaves, chosen);
        result = Search(leaves, *criterion, penalty, chosen, stop, progress).run();
        thresholds = thresholds_of(result.tree, arguments.request.values, table.rows);
    }
    watcher.raise_kept_error();
    return to_dict(result, thresholds, progress);
}

}  // namespace

void add_leaf_sets(nb::module_& module) {
    module.def("solve_leaf_sets", &solve_leaf_sets, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("measure"),
               nb::arg("on_progress").none());
}

}  // namespace ostrya
