/// Row prices by themselves, without a search.
#include <atomic>
#include <thread>

#include "bind/functions.hpp"
#include "bind/testing.hpp"
#include "bounds/row_prices.hpp"
#include "prices/row_prices.hpp"
#include "threads/thread_group.hpp"

namespace ostrya {
namespace {

/// Threads that do nothing but help with a search for prices.
class PriceHelpers {
public:
    explicit PriceHelpers(std::size_t n_threads) {
        threads_.start(n_threads - 1, [this](std::size_t) {
            while (!is_over_) {
                loop_.help();
                std::this_thread::yield();
            }
        });
    }

    OpenLoop& loop() { return loop_; }

private:
    OpenLoop loop_;
    std::atomic<bool> is_over_ = false;
    ThreadGroup threads_{[this] { is_over_ = true; }};
};

/// Prices of the row groups of a problem, sought until they stay, with all that they
/// have to be checked against.
nb::dict row_prices_of(const Rows& values, const ClassCodes& codes,
                       const Weights& weights, const Costs& costs, Cost scale,
                       Cost penalty, const values::Options& options, Cost upper,
                       std::size_t n_threads) {
    MemoryBudget memory;
    PriceHelpers helpers(n_threads);
    const Problem problem =
        problem_of({values, codes, weights, costs, {scale, penalty}}, options, memory);
    if (!RankTable::holds(problem)) return {};
    StopSign stop{{}};
    RowPrices found(problem, memory, options.tuning.prices,
                    n_threads > 1 ? &helpers.loop() : nullptr);
    const Cost base = scale * problem.base;
    for (std::int64_t work = 1 << 24; work > 0 && !found.is_settled();) {
        found.improve(upper - base, work, stop);
    }
    const std::size_t width = problem.layout.size(), k = problem.layout.n_labels;
    nb::list ranks, gains, prices;
    for (std::size_t group = 0; group < problem.n_groups; ++group) {
        nb::list places, of_labels;
        for (const SplitColumn& column : problem.splits) {
            places.append(column.ranks[group]);
        }
        for (std::size_t label = 0; label < k; ++label) {
            of_labels.append(problem.sums[group * width + label]);
        }
        ranks.append(places);
        gains.append(of_labels);
        prices.append(found.prices()[group]);
    }
    nb::dict out;
    out["base"] = base;
    out["ranks"] = ranks;
    out["gains"] = gains;
    out["prices"] = prices;
    out["shift"] = found.scale().shift;
    out["lower"] =
        base + price_lower(found.sum(), found.scale(), options.bounds.row_prices);
    return out;
}

/// The bound that prices of all rows reach, and whether more work would not raise it,
/// where the best tree known costs `upper`: (base, bound, whether it stays).
nb::tuple price_bound(const Rows& values, const ClassCodes& codes,
                      const Weights& weights, const Costs& costs, Cost scale,
                      Cost penalty, const values::Options& options, Cost upper,
                      std::int64_t work, double seconds, std::size_t n_threads) {
    MemoryBudget memory;
    PriceHelpers helpers(n_threads);
    const Problem problem =
        problem_of({values, codes, weights, costs, {scale, penalty}}, options, memory);
    const Cost base = scale * problem.base;
    if (!RankTable::holds(problem)) return nb::make_tuple(base, base, true);
    StopSign stop{seconds};
    RowPrices found(problem, memory, options.tuning.prices,
                    n_threads > 1 ? &helpers.loop() : nullptr);
    while (work > 0 && !found.is_settled() && !stop.is_up()) {
        found.improve(upper - base, work, stop);
    }
    return nb::make_tuple(
        base, base + price_lower(found.sum(), found.scale(), options.bounds.row_prices),
        found.is_settled());
}

}  // namespace

void add_price_testing(nb::module_& module) {
    module.def("row_prices", &row_prices_of, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("upper"),
               nb::arg("n_threads") = 1);
    module.def("price_bound", &price_bound, nb::arg("X"), nb::arg("codes"),
               nb::arg("weights"), nb::arg("costs"), nb::arg("scale"),
               nb::arg("penalty"), nb::arg("options"), nb::arg("upper"),
               nb::arg("work"), nb::arg("seconds"), nb::arg("n_threads") = 1);
}

}  // namespace ostrya
