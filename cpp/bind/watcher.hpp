/// The caller's side of a running search.
#pragma once

#include <limits>
#include <utility>

#include "bind/values.hpp"
#include "watch/progress.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Asks Python whether to go on: signals, whoever keeps Ctrl-C for the search, and the
/// caller's own callback.
class Watcher {
public:
    Watcher(StopSign& stop, const Progress& progress, Callback on_progress,
            Question is_interrupted)
        : stop_(stop),
          progress_(progress),
          on_progress_(std::move(on_progress)),
          is_interrupted_(std::move(is_interrupted)) {}

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
        if (is_interrupted_) ask(*is_interrupted_);
        if (!on_progress_) return;
        // Searches that are over before their second look have nothing to tell.
        if (progress_.is_empty() ? ++n_idle_looks_ % 5 != 2 : ++n_looks_ % 5 != 1)
            return;
        TracePoint point = progress_.is_empty() ? no_tree() : progress_.latest();
        point.seconds = stop_.watch.seconds();
        ask(*on_progress_, point);
    }

    /// Keep the exception of a callback, to be raised once the search has ended.
    void keep(nb::python_error& error) {
        error.restore();
        keep_error();
        stop_.interrupt();
    }

    /// Whether a callback has raised; only to be asked with the interpreter lock.
    bool has_error() const { return error_.is_valid(); }

    /// Raise what a callback raised, if any.
    void raise_kept_error() {
        if (!error_.is_valid()) return;
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error_.ptr())),
                        error_.ptr());
        throw nb::python_error();
    }

private:
    /// While rows are prepared: no leaves, at a cost above that of any tree.
    static TracePoint no_tree() {
        TracePoint point;
        point.upper = std::numeric_limits<Cost>::max();
        point.leaves = 0;
        return point;
    }

    /// Stop if the answer is true.
    template <class... Arguments>
    void ask(const nb::callable& question, const Arguments&... arguments) {
        try {
            const nb::object answer = question(arguments...);
            if (nb::cast<bool>(nb::bool_(answer))) stop_.interrupt();
        } catch (nb::python_error& error) {
            keep(error);
        }
    }

    void keep_error() {
        if (error_.is_valid()) {
            PyErr_Clear();  // the first one is the cause
            return;
        }
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
    Callback on_progress_;
    Question is_interrupted_;
    nb::object error_;
    int n_idle_looks_ = 0, n_looks_ = 0;
};

}  // namespace ostrya
