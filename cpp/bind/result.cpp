#include "bind/result.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "kernels/kernels.hpp"

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
        case Status::optimal_in_top_k:
            return "optimal_in_top_k";
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
    out["instruction_set"] = name_of(instruction_set());
    return out;
}

}  // namespace

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

}  // namespace ostrya
