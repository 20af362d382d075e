/// The Python module `ostrya._core`: arrays in, a dictionary out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <vector>

#include "bind/arguments.hpp"
#include "bind/resident_memory.hpp"
#include "bind/testing.hpp"
#include "search/engine.hpp"

namespace ostrya {
namespace {

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(const std::vector<T>& values) {
    T* copy = new T[values.size()];
    std::memcpy(copy, values.data(), values.size() * sizeof(T));
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(copy, {values.size()}, owner);
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

nb::dict to_dict(const Result& result, const Thresholds& thresholds,
                 const Progress& progress) {
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

/// Asks Python whether to go on: signals, and the caller's own callback.
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
        if (on_progress_.is_none() || progress_.is_empty() || ++n_looks_ % 5 != 1)
            return;
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
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error_.ptr())),
                        error_.ptr());
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
    const Arguments arguments(values, codes, weights, costs, {scale, penalty}, options);
    StopSign stop(arguments.options.time_limit);
    Progress progress;
    Watcher watcher(stop, progress, std::move(on_progress));
    Result result;
    Thresholds thresholds;
    {
        const nb::gil_scoped_release unlocked;
        stop.look_now_and_then([&] { watcher.look(); });
        const Problem problem = build_problem(arguments.request);
        Options options = arguments.options;
        if (options.memory_limit) {
            options.memory_limit = search_memory(*options.memory_limit);
        }
        result = search(problem, options, stop, progress);
        thresholds = thresholds_of(result.tree, arguments.request);
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
    module.def("instruction_set",
               [] { return ostrya::name_of(ostrya::instruction_set()); });
    nb::module_ testing =
        module.def_submodule("testing", "Bounds one by one, for tests.");
    ostrya::add_testing(testing);
}
