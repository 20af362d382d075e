#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <memory>
#include <utility>

#include "bind/functions.hpp"
#include "bind/handed_over.hpp"
#include "bind/values.hpp"
#include "bind/watched_call.hpp"
#include "data/columns.hpp"

namespace ostrya {
namespace {

using RankArray = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>;
using NumberArray = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>;

/// The ranks of all rows, stored column by stored column, and a number for each row,
/// the same for equal rows. Nothing when a limit or Ctrl-C comes first.
std::optional<std::pair<RankArray, NumberArray>> rank_rows(const Rows& rows,
                                                           const values::Limits& limits,
                                                           Question is_interrupted) {
    const Cells cells = cells_of(rows);
    std::unique_ptr<std::uint32_t[]> ranks, numbers;
    WatchedCall call(limits, {}, std::move(is_interrupted));
    call.run([&] {
        const StopCheck is_stopped = call.stop_check();
        const std::size_t n_cells = cells.n_rows * cells.n_columns;
        if (!call.memory.allows(n_cells * sizeof(std::uint32_t))) return;
        const auto distinct = find_distinct_rows(cells, call.memory, is_stopped);
        if (!distinct) return;
        auto places = std::make_unique<std::uint32_t[]>(n_cells);
        Ranker ranker(call.memory, is_stopped);
        for (std::uint32_t feature = 0; feature < cells.n_columns; ++feature) {
            if (is_stopped()) return;
            ColumnRule as_stored;
            as_stored.stored = feature;
            const auto column = ranker.rank(cells, distinct->first, as_stored);
            if (!column) return;
            std::uint32_t* place = places.get() + feature * cells.n_rows;
            for (const std::uint32_t row : distinct->of_row) {
                *place++ = column->ranks[row];
            }
        }
        numbers = std::make_unique<std::uint32_t[]>(cells.n_rows);
        std::copy(distinct->of_row.begin(), distinct->of_row.end(), numbers.get());
        ranks = std::move(places);
    });
    if (!ranks) return {};
    return std::pair(
        handed_over<RankArray>(std::move(ranks), {cells.n_columns, cells.n_rows}),
        handed_over<NumberArray>(std::move(numbers), {cells.n_rows}));
}

}  // namespace

void add_ranking(nb::module_& module) {
    module.def("rank_rows", &rank_rows, nb::arg("X"), nb::arg("limits"),
               nb::arg("is_interrupted") = nb::none());
}

}  // namespace ostrya
