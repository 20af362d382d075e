#include "bind/values.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace ostrya {
namespace {

/// A view of numbers that live as long as their owner, which the view keeps alive.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> view(const std::vector<T>& values) {
    return {values.data(), {values.size()}};
}

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::uint8_t> copy(const Flags& flags) {
    return {flags.data(), flags.data() + flags.size()};
}
std::vector<Cost> copy(const Integers& numbers) {
    return {numbers.data(), numbers.data() + numbers.size()};
}

void add_bounds(nb::module_& module) {
    nb::class_<Switch>(module, "Switch")
        .def(nb::init<>())
        .def_rw("is_on", &Switch::is_on)
        .def_rw("slip", &Switch::slip);
    nb::class_<Switches>(module, "Bounds")
        .def(nb::init<>())
        .def_rw("leaf_count", &Switches::leaf_count)
        .def_rw("leaf_optimal", &Switches::leaf_optimal)
        .def_rw("support", &Switches::support)
        .def_rw("superset", &Switches::superset)
        .def_rw("similar_support", &Switches::similar_support)
        .def_rw("look_ahead", &Switches::look_ahead)
        .def_rw("pairs_close", &Switches::pairs_close)
        .def_rw("depth_transfer", &Switches::depth_transfer)
        .def_rw("dual_prices", &Switches::row_prices);
    using LeafSetSwitches = leaf_sets::Switches;
    nb::class_<LeafSetSwitches>(module, "LeafSetBounds")
        .def(nb::init<>())
        .def_rw("hierarchical", &LeafSetSwitches::hierarchical)
        .def_rw("look_ahead", &LeafSetSwitches::look_ahead)
        .def_rw("equivalent_points", &LeafSetSwitches::equivalent_points)
        .def_rw("node_support", &LeafSetSwitches::node_support)
        .def_rw("incremental_accuracy", &LeafSetSwitches::incremental_accuracy)
        .def_rw("leaf_accuracy", &LeafSetSwitches::leaf_accuracy)
        .def_rw("permutation", &LeafSetSwitches::permutation)
        .def_rw("leaf_count", &LeafSetSwitches::leaf_count)
        .def_rw("similar_support", &LeafSetSwitches::similar_support)
        .def_rw("tangent", &LeafSetSwitches::tangent)
        .def_rw("greedy_start", &LeafSetSwitches::greedy_start);
}

/// What parts of a search are told, and what they tell.
void add_parts(nb::module_& module) {
    nb::class_<SharedUpper>(module, "SharedUpper")
        .def(nb::init<Cost>(), nb::arg("cost"))
        .def("lower_to", &SharedUpper::lower_to, nb::arg("cost"))
        .def_prop_ro("cost", &SharedUpper::cost);
    nb::class_<RootPart>(module, "RootPart")
        .def(
            "__init__",
            [](RootPart* part, const Flags& is_mine, const Integers& yes,
               const Integers& no, const Integers& rest,
               std::shared_ptr<SharedUpper> upper) {
                new (part) RootPart{copy(is_mine), copy(yes), copy(no), copy(rest),
                                    std::move(upper)};
            },
            nb::arg("is_mine"), nb::arg("yes"), nb::arg("no"), nb::arg("rest"),
            nb::arg("upper"));
    nb::class_<SplitTable>(module, "SplitTable")
        .def_prop_ro("feature", [](const SplitTable& t) { return view(t.feature); })
        .def_prop_ro("cut", [](const SplitTable& t) { return view(t.cut); })
        .def_prop_ro("yes", [](const SplitTable& t) { return view(t.yes); })
        .def_prop_ro("no", [](const SplitTable& t) { return view(t.no); })
        .def_prop_ro("rest", [](const SplitTable& t) { return view(t.rest); })
        .def_prop_ro("yes_leaf", [](const SplitTable& t) { return view(t.yes_leaf); })
        .def_prop_ro("no_leaf", [](const SplitTable& t) { return view(t.no_leaf); })
        .def_ro("base", &SplitTable::base);
}

using Places =
    nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Lookups = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The rules of coded columns. `level` is the code of a level, `lookup` is where the
/// values for the codes begin in `lookups`; -1: none.
std::vector<ColumnRule> rules_of(const Numbers& cells, const Places& stored,
                                 const Places& level, const Places& lookup,
                                 const Lookups& lookups) {
    const std::size_t n = stored.shape(0);
    if (n == 0 || level.shape(0) != n || lookup.shape(0) != n) {
        throw std::invalid_argument("coded columns need one entry each, and be some");
    }
    std::vector<ColumnRule> out(n);
    for (std::size_t at = 0; at < n; ++at) {
        const std::int32_t from = stored.data()[at], start = lookup.data()[at];
        if (from < 0 || static_cast<std::size_t>(from) >= cells.shape(1) ||
            start >= static_cast<std::int64_t>(lookups.shape(0))) {
            throw std::invalid_argument(
                "a coded column is read from what is not there");
        }
        out[at].stored = static_cast<std::uint32_t>(from);
        if (level.data()[at] >= 0) {
            out[at].kind = ColumnRule::Kind::level;
            out[at].level = level.data()[at];
        } else if (start >= 0) {
            out[at].kind = ColumnRule::Kind::lookup;
            out[at].values = lookups.data() + start;
        }
    }
    return out;
}

void add_rows(nb::module_& module) {
    nb::class_<CodedRows>(module, "CodedRows")
        .def(
            "__init__",
            [](CodedRows* rows, const Numbers& cells, const Places& stored,
               const Places& level, const Places& lookup, const Lookups& lookups) {
                new (rows) CodedRows{cells, lookups,
                                     rules_of(cells, stored, level, lookup, lookups)};
            },
            nb::arg("cells"), nb::arg("stored"), nb::arg("level"), nb::arg("lookup"),
            nb::arg("lookups"));
}

void add_options(nb::module_& module) {
    using values::AllocationTrouble, values::Checkpoint, values::FrontOptions;
    using values::LeafSetOptions, values::Limits, values::Options;
    using values::Ranking, values::TopK;
    using values::TakesBytes;
    nb::class_<Limits>(module, "Limits")
        .def(nb::init<std::optional<std::uint32_t>, std::optional<std::uint32_t>,
                      std::uint32_t, std::optional<double>,
                      std::optional<std::uint64_t>>(),
             nb::kw_only(), nb::arg("max_depth") = nb::none(),
             nb::arg("max_leaf_nodes") = nb::none(), nb::arg("min_samples_leaf") = 1,
             nb::arg("time_limit") = nb::none(), nb::arg("memory_limit") = nb::none())
        .def_ro("max_depth", &Limits::max_depth)
        .def_ro("max_leaf_nodes", &Limits::max_leaves)
        .def_ro("min_samples_leaf", &Limits::min_samples_leaf)
        .def_ro("time_limit", &Limits::time_limit)
        .def_ro("memory_limit", &Limits::memory_limit);
    nb::class_<TopK>(module, "TopK")
        .def(nb::init<std::vector<std::uint32_t>, std::string, bool,
                      std::optional<bool>, std::optional<nb::callable>>(),
             nb::arg("widths"), nb::kw_only(), nb::arg("criterion"),
             nb::arg("ranks_features") = false, nb::arg("by_rows") = nb::none(),
             nb::arg("impurity") = nb::none())
        .def_ro("widths", &TopK::widths);
    nb::class_<AllocationTrouble>(module, "AllocationTrouble")
        .def(nb::init<std::optional<std::uint64_t>, std::optional<std::uint64_t>>(),
             nb::kw_only(), nb::arg("fails") = nb::none(),
             nb::arg("exhausts") = nb::none());
    nb::class_<Ranking>(module, "Ranking")
        .def(nb::init<RankedColumns, RowNumbers>(), nb::arg("ranks"),
             nb::arg("numbers"));
    nb::class_<Checkpoint>(module, "Checkpoint")
        .def(nb::init<std::optional<nb::bytes>, TakesBytes, double,
                      std::vector<nb::bytes>, std::optional<TakesBytes>,
                      std::uint64_t>(),
             nb::arg("facts").none(), nb::arg("keep"), nb::arg("seconds") = 60.0,
             nb::arg("told") = nb::make_tuple(), nb::arg("tell") = nb::none(),
             nb::arg("most_told_bytes") = 0);
    nb::class_<Options>(module, "Options")
        .def(nb::init<Limits, std::optional<Cost>, std::optional<ClassCodes>,
                      std::optional<Costs>, Switches, std::optional<TopK>,
                      std::optional<std::uint64_t>, std::optional<std::uint64_t>,
                      std::optional<std::uint32_t>, std::optional<bool>, Tuning,
                      AllocationTrouble, std::uint32_t, bool, std::optional<Ranking>,
                      std::optional<Checkpoint>, std::optional<double>,
                      std::shared_ptr<RootPart>, std::optional<Cost>>(),
             nb::arg("limits"), nb::kw_only(), nb::arg("upper") = nb::none(),
             nb::arg("reference") = nb::none(), nb::arg("gains") = nb::none(),
             nb::arg("bounds") = Switches{}, nb::arg("top_k") = nb::none(),
             nb::arg("effort") = nb::none(), nb::arg("max_work") = nb::none(),
             nb::arg("few_cuts") = nb::none(), nb::arg("cross_tables") = nb::none(),
             nb::arg("tuning") = Tuning{}, nb::arg("trouble") = AllocationTrouble{},
             nb::arg("n_threads") = 1, nb::arg("logs_tasks") = false,
             nb::arg("ranking") = nb::none(), nb::arg("checkpoint") = nb::none(),
             nb::arg("hand_over") = nb::none(), nb::arg("part") = nb::none(),
             nb::arg("optimum") = nb::none())
        .def_ro("limits", &Options::limits)
        .def_ro("upper", &Options::upper);
    nb::class_<LeafSetOptions>(module, "LeafSetOptions")
        .def(nb::init<Limits, std::optional<Cost>, std::string, leaf_sets::Switches,
                      AllocationTrouble>(),
             nb::arg("limits"), nb::kw_only(), nb::arg("upper") = nb::none(),
             nb::arg("policy") = "curiosity", nb::arg("bounds") = leaf_sets::Switches{},
             nb::arg("trouble") = AllocationTrouble{});
    nb::class_<FrontOptions>(module, "FrontOptions")
        .def(nb::init<Limits, std::optional<Cost>, Cost, Cost>(), nb::arg("limits"),
             nb::kw_only(), nb::arg("upper") = nb::none(), nb::arg("lower"),
             nb::arg("shift"));
}

void add_measures(nb::module_& module) {
    using values::Additive, values::FScore, values::Monotone, values::RocArea;
    nb::class_<Additive>(module, "Additive").def(nb::init<>());
    nb::class_<RocArea>(module, "RocArea")
        .def(nb::init<Weight, Weight, Weight, Weight>(), nb::arg("numerator"),
             nb::arg("denominator"), nb::arg("multiple"), nb::arg("divisor"));
    nb::class_<FScore>(module, "FScore")
        .def(nb::init<Weight, Weight, Weight>(), nb::arg("numerator"),
             nb::arg("denominator"), nb::arg("resolution"));
    nb::class_<Monotone>(module, "Monotone")
        .def(nb::init<nb::typed<nb::callable, Cost(Weight, Weight)>>(),
             nb::arg("loss"));
}

void add_results(nb::module_& module) {
    nb::class_<TracePoint>(module, "TracePoint")
        .def_ro("seconds", &TracePoint::seconds)
        .def_ro("lower", &TracePoint::lower)
        .def_ro("upper", &TracePoint::upper)
        .def_ro("subproblems", &TracePoint::subproblems)
        .def_ro("memory", &TracePoint::memory)
        .def_ro("n_leaves", &TracePoint::leaves)
        .def_ro("proved_depth", &TracePoint::proved_depth)
        .def_ro("next_depth_lower", &TracePoint::next_depth_lower)
        .def_ro("work", &TracePoint::work)
        .def_ro("nanoseconds", &TracePoint::nanoseconds);
    nb::class_<Statistics>(module, "Statistics")
        .def_ro("subproblems", &Statistics::subproblems)
        .def_ro("memo_entries", &Statistics::memo_entries)
        .def_ro("memo_hits", &Statistics::memo_hits)
        .def_ro("first_scans", &Statistics::first_scans)
        .def_ro("pair_rows", &Statistics::pair_rows)
        .def_ro("seconds", &Statistics::seconds)
        .def_ro("work", &Statistics::work)
        .def_ro("nanoseconds", &Statistics::nanoseconds)
        .def_ro("peak_memory", &Statistics::peak_memory)
        .def_ro("n_groups", &Statistics::n_groups)
        .def_ro("n_columns", &Statistics::n_columns)
        .def_ro("n_thresholds", &Statistics::n_thresholds);
    using values::Result;
    nb::class_<LoggedTask>(module, "LoggedTask")
        .def_ro("level", &LoggedTask::level)
        .def_ro("begin", &LoggedTask::begin)
        .def_ro("end", &LoggedTask::end);
    nb::class_<Result>(module, "Result")
        .def_prop_ro("feature", [](const Result& r) { return view(r.feature); })
        .def_prop_ro("threshold", [](const Result& r) { return view(r.threshold); })
        .def_prop_ro("yes", [](const Result& r) { return view(r.yes); })
        .def_prop_ro("no", [](const Result& r) { return view(r.no); })
        .def_ro("lower", &Result::lower)
        .def_ro("upper", &Result::upper)
        .def_ro("status", &Result::status)
        .def_ro("proved_depth", &Result::proved_depth)
        .def_ro("trace", &Result::trace)
        .def_ro("statistics", &Result::statistics)
        .def_ro("tasks", &Result::tasks)
        .def_ro("splits", &Result::splits);
}

}  // namespace

void add_values(nb::module_& module) {
    add_bounds(module);
    add_tuning(module);
    add_parts(module);
    add_rows(module);
    add_options(module);
    add_measures(module);
    add_results(module);
}

}  // namespace ostrya
