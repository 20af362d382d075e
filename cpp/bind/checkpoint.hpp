/// Where Python keeps what a search proves.
#pragma once

#include "bind/values.hpp"
#include "bind/watcher.hpp"
#include "search/checkpoint.hpp"

namespace ostrya {

inline Bytes view_of(const nb::bytes& given) {
    return {reinterpret_cast<const unsigned char*>(given.c_str()), given.size()};
}

/// What hands bytes to the caller's own code; what that raises ends the search, and is
/// raised after it.
inline std::function<void(Bytes)> handing_to(const values::TakesBytes& take,
                                             Watcher& watcher) {
    return [&take, &watcher](Bytes bytes) {
        const nb::gil_scoped_acquire lock;
        try {
            // A view, not a copy: there may be much of it.
            auto* start = const_cast<unsigned char*>(bytes.data());
            const auto view = nb::steal(PyMemoryView_FromMemory(
                reinterpret_cast<char*>(start), static_cast<Py_ssize_t>(bytes.size()),
                PyBUF_READ));
            if (!view.is_valid()) throw nb::python_error();
            take(view);
            view.attr("release")();
        } catch (nb::python_error& error) {
            watcher.keep(error);
        }
    };
}

/// As the engine takes it; what it refers to must outlive it.
inline Checkpoint checkpoint_of(const values::Checkpoint& given, Watcher& watcher) {
    Checkpoint out;
    out.seconds = given.seconds;
    if (given.facts) out.facts = view_of(*given.facts);
    out.keep = handing_to(given.keep, watcher);
    for (const nb::bytes& each : given.told) out.told.push_back(view_of(each));
    if (given.tell) out.tell = handing_to(*given.tell, watcher);
    out.most_told_bytes = given.most_told_bytes;
    return out;
}

}  // namespace ostrya
