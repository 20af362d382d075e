#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bind/functions.hpp"
#include "bind/handed_over.hpp"
#include "objective/routing.hpp"
#include "objective/tree_rules.hpp"

namespace nb = nanobind;

namespace ostrya {
namespace {

using Integers =
    nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// In any order and direction: parts of an array are read where they lie.
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Counts =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Leaves = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

TreeArrays tree_of(const Integers& feature, const Floats& threshold,
                   const Integers& yes, const Integers& no) {
    const std::size_t n_nodes = feature.shape(0);
    for (const std::size_t size : {threshold.shape(0), yes.shape(0), no.shape(0)}) {
        if (size != n_nodes) throw std::invalid_argument("arrays of different lengths");
    }
    return {feature.data(), threshold.data(), yes.data(), no.data(), n_nodes};
}

RowView view_of(const Rows& rows) {
    return {rows.data(), rows.shape(0), rows.shape(1), rows.stride(0), rows.stride(1)};
}

Leaves find_leaves(const Router& router, const Rows& rows, bool is_checked) {
    const RowView view = view_of(rows);
    std::unique_ptr<std::int32_t[]> leaves(new std::int32_t[view.n_rows]);
    bool has_nan = false;
    {
        const nb::gil_scoped_release unlocked;
        router.find_leaves(view, leaves.get());
        has_nan = !is_checked && router.asks_about_nan(view);
    }
    if (has_nan) {
        throw nb::value_error("X must not contain NaN in columns that the tree uses");
    }
    return handed_over<Leaves>(std::move(leaves), {view.n_rows});
}

void count_rows(const Router& router, const Rows& rows, const Integers& codes,
                const Sums& counts) {
    if (codes.shape(0) != rows.shape(0) || counts.shape(0) != router.n_nodes()) {
        throw std::invalid_argument("one code per row, one row of counts per node");
    }
    const nb::gil_scoped_release unlocked;
    router.count_rows(view_of(rows), codes.data(), counts.shape(1), counts.data());
}

void add_up(const Router& router, const Sums& sums) {
    if (sums.shape(0) != router.n_nodes()) {
        throw std::invalid_argument("sums must have one row per node");
    }
    router.add_up(sums.data(), sums.shape(1));
}

Leaves depths(const Integers& feature) {
    const std::size_t n_nodes = feature.shape(0);
    const std::vector<std::int32_t> found = depths_of(feature.data(), n_nodes);
    std::unique_ptr<std::int32_t[]> kept(new std::int32_t[n_nodes]);
    std::copy(found.begin(), found.end(), kept.get());
    return handed_over<Leaves>(std::move(kept), {n_nodes});
}

}  // namespace

void add_routing(nb::module_& module) {
    nb::class_<Router>(module, "Router")
        .def(
            "__init__",
            [](Router* self, const Integers& feature, const Floats& threshold,
               const Integers& yes, const Integers& no) {
                new (self) Router(tree_of(feature, threshold, yes, no));
            },
            nb::arg("feature"), nb::arg("threshold"), nb::arg("yes"), nb::arg("no"))
        .def("find_leaves", &find_leaves, nb::arg("rows"), nb::arg("is_checked"))
        .def("count_rows", &count_rows, nb::arg("rows"), nb::arg("codes"),
             nb::arg("counts"))
        .def("add_up", &add_up, nb::arg("sums"));
    module.def("depths", &depths, nb::arg("feature"));
    module.def(
        "rule_broken_by_shape",
        [](const Integers& feature, const Floats& threshold, const Integers& yes,
           const Integers& no, std::int64_t n_features) {
            return broken_rule(tree_of(feature, threshold, yes, no), n_features);
        },
        nb::arg("feature"), nb::arg("threshold"), nb::arg("yes"), nb::arg("no"),
        nb::arg("n_features"));
    module.def(
        "rule_broken_by_contents",
        [](const Integers& label, const Values& value, const Counts& n_samples) {
            const std::size_t n_nodes = label.shape(0);
            if (value.shape(0) != n_nodes || n_samples.shape(0) != n_nodes) {
                throw std::invalid_argument("arrays of different lengths");
            }
            return broken_rule(NodeContents{label.data(), value.data(),
                                            n_samples.data(), n_nodes, value.shape(1)});
        },
        nb::arg("label"), nb::arg("value"), nb::arg("n_samples"));
}

}  // namespace ostrya
