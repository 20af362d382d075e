/// Where Python keeps what a search proves.
#pragma once

#include "bind/values.hpp"
#include "bind/watcher.hpp"
#include "search/checkpoint.hpp"

namespace ostrya {

/// As the engine takes it; what it refers to must outlive it. What the caller's own
/// code raises ends the search, and is raised after it.
inline Checkpoint checkpoint_of(const values::Checkpoint& given, Watcher& watcher) {
    Checkpoint out;
    out.seconds = given.seconds;
    if (given.facts) {
        out.facts = {reinterpret_cast<const unsigned char*>(given.facts->c_str()),
                     given.facts->size()};
    }
    out.keep = [&given, &watcher](Bytes bytes) {
        const nb::gil_scoped_acquire lock;
        try {
            // A view, not a copy: there may be much of it.
            auto* start = const_cast<unsigned char*>(bytes.data());
            const auto view = nb::steal(PyMemoryView_FromMemory(
                reinterpret_cast<char*>(start), static_cast<Py_ssize_t>(bytes.size()),
                PyBUF_READ));
            if (!view.is_valid()) throw nb::python_error();
            given.keep(view);
            view.attr("release")();
        } catch (nb::python_error& error) {
            watcher.keep(error);
        }
    };
    return out;
}

}  // namespace ostrya
