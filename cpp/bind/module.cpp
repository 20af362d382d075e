/// The Python module `ostrya._core`: arrays in, a dictionary out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <vector>

#include "bind/resident_memory.hpp"
#include "bind/watch.hpp"
#include "bounds/support.hpp"
#include "search/engine.hpp"

namespace nb = nanobind;

namespace ostrya {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig,
                            nb::device::cpu>;
using Costs = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig,
                          nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(const std::vector<T>& values) {
    T* copy = new T[values.size()];
    std::memcpy(copy, values.data(), values.size() * sizeof(T));
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(copy, {values.size()}, owner);
}

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

Options options_of(const nb::dict& options) {
    Options out;
    const nb::object time = options["time_limit"], memory = options["memory_limit"];
    const nb::object upper = options["upper"];
    if (!time.is_none()) out.time_limit = nb::cast<double>(time);
    if (!memory.is_none()) {
        out.memory_limit = search_memory(nb::cast<std::uint64_t>(memory));
    }
    if (!upper.is_none()) out.upper = nb::cast<Cost>(upper);
    out.switches = switches_of(options);
    return out;
}

const char* name_of(Status status) {
    switch (status) {
        case Status::optimal:
            return "optimal";
        case Status::upper_bound:
            return "upper_bound";
        case Status::time_limit:
            return "time_limit";
        case Status::memory_limit:
            return "memory_limit";
        default:
            return "interrupted";
    }
}

nb::dict statistics_of(const Statistics& statistics) {
    nb::dict out;
    out["subproblems"] = statistics.subproblems;
    out["memo_entries"] = statistics.memo_entries;
    out["memo_hits"] = statistics.memo_hits;
    out["first_scans"] = statistics.first_scans;
    out["pair_rows"] = statistics.pair_rows;
    out["seconds"] = statistics.seconds;
    out["peak_memory"] = statistics.peak_memory;
    out["n_groups"] = statistics.n_groups;
    out["n_columns"] = statistics.n_columns;
    out["n_thresholds"] = statistics.n_thresholds;
    out["instruction_set"] = ostrya::name_of(instruction_set());
    return out;
}

nb::dict to_dict(const Result& result, const Problem& problem,
                 const Progress& progress) {
    const Thresholds thresholds = thresholds_of(result.tree, problem);
    std::vector<std::int32_t> yes, no;
    for (const FoundTree::Node& node : result.tree.nodes) {
        yes.push_back(node.is_leaf ? -1 : static_cast<std::int32_t>(node.yes));
        no.push_back(node.is_leaf ? -1 : static_cast<std::int32_t>(node.no));
    }
    nb::list trace;
    for (const TracePoint& point : progress.trace()) {
        trace.append(nb::make_tuple(point.seconds, point.lower, point.upper,
                                    point.subproblems, point.memory));
    }
    nb::dict out;
    out["feature"] = to_numpy(thresholds.feature);
    out["threshold"] = to_numpy(thresholds.threshold);
    out["yes"] = to_numpy(yes);
    out["no"] = to_numpy(no);
    out["lower"] = result.lower;
    out["upper"] = result.upper;
    out["status"] = name_of(result.status);
    out["trace"] = trace;
    out["statistics"] = statistics_of(result.statistics);
    return out;
}

/// Ask Python, on its own thread, whether to go on.
class Watcher {
public:
    Watcher(StopSign& stop, const Progress& progress, nb::object on_progress)
        : stop_(stop), progress_(progress), on_progress_(std::move(on_progress)) {}

    void look() {
        const nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) {
            // Ctrl-C ends the search, not the call; any other signal handler's
            // exception is the caller's own and goes on to the caller.
            if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
                PyErr_Clear();
            } else {
                keep_error();
            }
            stop_.interrupt();
        }
        if (on_progress_.is_none() || progress_.is_empty() || ++n_looks_ % 5 != 1) return;
        const TracePoint point = progress_.latest();
        try {
            const nb::object answer =
                on_progress_(stop_.seconds(), point.lower, point.upper,
                             point.subproblems, point.memory, point.leaves);
            if (nb::cast<bool>(nb::bool_(answer))) stop_.interrupt();
        } catch (nb::python_error& error) {
            error.restore();
            keep_error();
            stop_.interrupt();
        }
    }

    /// Raise what a callback raised, if any.
    void raise_kept_error() {
        if (!error_.is_valid()) return;
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error_.ptr())), error_.ptr());
        throw nb::python_error();
    }

private:
    void keep_error() {
        PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
        PyErr_Fetch(&type, &value, &trace);
        PyErr_NormalizeException(&type, &value, &trace);
        if (trace) PyException_SetTraceback(value, trace);
        Py_XDECREF(type);
        Py_XDECREF(trace);
        error_ = nb::steal(value);
    }

    StopSign& stop_;
    const Progress& progress_;
    nb::object on_progress_;
    nb::object error_;
    int n_looks_ = 0;
};

nb::dict solve(const Matrix& values, const Codes& codes, const Weights& weights,
               const Costs& costs, Cost scale, Cost penalty, const nb::dict& options,
               nb::object on_progress) {
    const Options search_options = options_of(options);
    Request request;
    request.values = values.data();
    request.codes = codes.data();
    request.weights = weights.data();
    request.costs = costs.data();
    request.n_rows = values.shape(0);
    request.n_features = values.shape(1);
    request.n_labels = costs.shape(0);
    request.grid = {scale, penalty};
    request.limits = {limit_of(options, "max_depth"), limit_of(options, "max_leaves")};
    request.min_samples_leaf = nb::cast<std::uint32_t>(options["min_samples_leaf"]);
    request.support_floor = support_floor(request.grid, search_options.switches.support);
    Codes reference;
    const nb::object given = options["reference"];
    if (!given.is_none()) {
        reference = nb::cast<Codes>(given);
        request.reference = reference.data();
    }

    StopSign stop(search_options.time_limit);
    Progress progress;
    Watcher watcher(stop, progress, std::move(on_progress));
    Problem problem;
    Result result;
    {
        const nb::gil_scoped_release unlocked;
        run_watched(
            [&] {
                problem = build_problem(request);
                result = search(problem, search_options, stop, progress);
            },
            [&] { watcher.look(); });
    }
    watcher.raise_kept_error();
    return to_dict(result, problem, progress);
}

}  // namespace
}  // namespace ostrya

NB_MODULE(_core, module) {
    module.doc() = "The engine of ostrya.";
    module.def("solve", &ostrya::solve, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("on_progress").none());
    module.def("instruction_set",
               [] { return ostrya::name_of(ostrya::instruction_set()); });
}
