#include "bind/equal_rows.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <memory>

#include "bind/values.hpp"
#include "data/distinct_rows.hpp"
#include "watch/stop.hpp"

namespace ostrya {
namespace {

using Places = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

/// Equal rows have the same number, counted from 0 as they are met. Nothing when the
/// time is over before that.
std::optional<Places> number_rows(const Numbers& rows, std::optional<double> seconds) {
    const Matrix matrix{rows.data(), rows.shape(0), rows.shape(1),
                        static_cast<std::size_t>(rows.stride(0)),
                        static_cast<std::size_t>(rows.stride(1))};
    auto places = std::make_unique<std::int32_t[]>(matrix.n_rows);
    {
        const nb::gil_scoped_release unlocked;
        MemoryBudget memory;
        StopSign stop(seconds);
        const auto found =
            find_distinct_rows(matrix, memory, [&] { return stop.is_up(); });
        if (!found) return {};
        std::copy(found->of_row.begin(), found->of_row.end(), places.get());
    }
    std::int32_t* data = places.release();
    const nb::capsule owner(data, [](void* numbers) noexcept {
        delete[] static_cast<std::int32_t*>(numbers);
    });
    return Places(data, {matrix.n_rows}, owner);
}

}  // namespace

void add_equal_rows(nb::module_& module) {
    module.def("number_rows", &number_rows, nb::arg("X"),
               nb::arg("seconds") = nb::none());
}

}  // namespace ostrya
