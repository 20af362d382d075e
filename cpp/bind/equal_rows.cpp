#include <nanobind/stl/optional.h>

#include <algorithm>
#include <memory>

#include "bind/functions.hpp"
#include "bind/handed_over.hpp"
#include "bind/values.hpp"
#include "data/distinct_rows.hpp"
#include "watch/stop.hpp"

namespace ostrya {
namespace {

using Places = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

/// Equal rows have the same number, counted from 0 as they are met. Nothing when the
/// time is over before that.
std::optional<Places> number_rows(const Rows& rows, std::optional<double> seconds) {
    const Cells cells = cells_of(rows);
    auto places = std::make_unique<std::int32_t[]>(cells.n_rows);
    {
        const nb::gil_scoped_release unlocked;
        MemoryBudget memory;
        StopSign stop(seconds);
        const auto found =
            find_distinct_rows(cells, memory, [&] { return stop.is_up(); });
        if (!found) return {};
        std::copy(found->of_row.begin(), found->of_row.end(), places.get());
    }
    return handed_over<Places>(std::move(places), {cells.n_rows});
}

}  // namespace

void add_equal_rows(nb::module_& module) {
    module.def("number_rows", &number_rows, nb::arg("X"),
               nb::arg("seconds") = nb::none());
}

}  // namespace ostrya
