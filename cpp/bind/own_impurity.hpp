/// An impurity that is a Python function, for the engine.
#pragma once

#include <algorithm>

#include "bind/values.hpp"
#include "bind/watcher.hpp"
#include "search/options.hpp"

namespace ostrya {

/// Returns what calls `function`, which takes a matrix of class shares and returns an
/// array of as many numbers. Both arguments must outlive the search. The result holds
/// them by reference: threads copy it without the interpreter lock.
inline OwnImpurity own_impurity(const nb::callable& function, Watcher& watcher) {
    return [&function, &watcher](const double* shares, std::size_t n,
                                 std::uint32_t n_labels, double* impurities) {
        using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig>;
        std::fill_n(impurities, n, 0.0);
        if (n == 0) return;
        const nb::gil_scoped_acquire lock;
        if (watcher.has_error()) return;  // the search is about to end
        try {
            const nb::ndarray<nb::numpy, const double, nb::ndim<2>> rows(
                shares, {n, n_labels}, nb::handle());
            // A copy, because the function may keep what it receives.
            const nb::object answer = function(nb::cast(rows, nb::rv_policy::copy));
            const auto values = nb::cast<Values>(answer);
            std::copy_n(values.data(), std::min(n, values.size()), impurities);
        } catch (nb::python_error& error) {
            watcher.keep(error);
        }
    };
}

}  // namespace ostrya
