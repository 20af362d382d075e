/// Arguments of the Python module, translated for the engine.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "objective/problem.hpp"
#include "search/options.hpp"

namespace nb = nanobind;

namespace ostrya {

/// Rows and columns of numbers, laid out either way.
using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::any_contig, nb::device::cpu>;
using Codes =
    nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// A step of 0 is allowed: one weight seen many times.
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
using Costs =
    nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::uint32_t limit_of(const nb::dict& options, const char* name);
Switch switch_of(const nb::dict& on, const nb::dict& slips, const char* name);

Options options_of(const nb::dict& options);

/// A request and options; the arrays must outlive it.
struct Arguments {
    Arguments(const Numbers& values, const Codes& codes, const Weights& weights,
              const Costs& costs, CostScale scale, const nb::dict& dict);

    Options options;
    Request request;
    Codes reference;
};

}  // namespace ostrya
