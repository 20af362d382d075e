#include "bind/arguments.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bounds/support.hpp"

namespace ostrya {

std::uint32_t limit_of(const nb::dict& options, const char* name) {
    const nb::object value = options[name];
    return value.is_none() ? Limits::unlimited : nb::cast<std::uint32_t>(value);
}

Switch switch_of(const nb::dict& on, const nb::dict& slips, const char* name) {
    Switch out;
    if (on.contains(name)) out.is_on = nb::cast<bool>(on[name]);
    if (slips.contains(name)) out.slip = nb::cast<Cost>(slips[name]);
    return out;
}

namespace {

Switches switches_of(const nb::dict& options) {
    const auto part = [&](const char* name) {
        return options.contains(name) ? nb::cast<nb::dict>(options[name]) : nb::dict();
    };
    const nb::dict on = part("bounds"), slips = part("slips");
    return {switch_of(on, slips, "leaf_count"),
            switch_of(on, slips, "leaf_optimal"),
            switch_of(on, slips, "support"),
            switch_of(on, slips, "superset"),
            switch_of(on, slips, "similar_support"),
            switch_of(on, slips, "look_ahead"),
            switch_of(on, slips, "pairs_close"),
            switch_of(on, slips, "depth_transfer")};
}

TopK top_k_of(const nb::dict& dict) {
    TopK out;
    out.widths = nb::cast<std::vector<std::uint32_t>>(dict["widths"]);
    const auto criterion = nb::cast<std::string>(dict["criterion"]);
    out.criterion = criterion == "entropy" ? SplitCriterion::entropy
                    : criterion == "gini"  ? SplitCriterion::gini
                                           : SplitCriterion::square_root;
    out.ranks_features = nb::cast<bool>(dict["ranks_features"]);
    if (dict.contains("by_rows")) out.by_rows = nb::cast<bool>(dict["by_rows"]);
    return out;
}

}  // namespace

Options options_of(const nb::dict& options) {
    Options out;
    const nb::object time = options["time_limit"], memory = options["memory_limit"];
    const nb::object upper = options["upper"];
    if (!time.is_none()) out.time_limit = nb::cast<double>(time);
    if (!memory.is_none()) out.memory_limit = nb::cast<std::uint64_t>(memory);
    if (!upper.is_none()) out.upper = nb::cast<Cost>(upper);
    out.switches = switches_of(options);
    if (options.contains("top_k") && !options["top_k"].is_none()) {
        out.top_k = top_k_of(nb::cast<nb::dict>(options["top_k"]));
    }
    return out;
}

Arguments::Arguments(const Numbers& values, const Codes& codes, const Weights& weights,
                     const Costs& costs, CostScale scale, const nb::dict& dict)
    : options(options_of(dict)) {
    request.values = {values.data(), values.shape(0), values.shape(1),
                      static_cast<std::size_t>(values.stride(0)),
                      static_cast<std::size_t>(values.stride(1))};
    request.codes = codes.data();
    request.weights = weights.data();
    request.weight_step = static_cast<std::size_t>(weights.stride(0));
    request.costs = costs.data();
    request.n_labels = costs.shape(0);
    request.scale = scale;
    request.limits = {limit_of(dict, "max_depth"), limit_of(dict, "max_leaves")};
    request.min_samples_leaf = nb::cast<std::uint32_t>(dict["min_samples_leaf"]);
    // Where splits are ranked, which of them are there is part of the problem: none is
    // dropped because no tree needs it (B3).
    request.ranks_splits = options.top_k.has_value();
    request.support_floor =
        request.ranks_splits ? -1 : support_floor(scale, options.switches.support);
    // Tests send small problems through tables and histograms this way.
    if (dict.contains("cross_tables")) {
        request.cross_tables = nb::cast<bool>(dict["cross_tables"]);
    }
    if (dict.contains("few_cuts")) {
        request.few_cuts = nb::cast<std::uint32_t>(dict["few_cuts"]);
    }
    const nb::object given = dict["reference"];
    if (!given.is_none()) {
        reference = nb::cast<Codes>(given);
        request.reference = reference.data();
    }
}

}  // namespace ostrya
