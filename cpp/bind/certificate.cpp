#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "bind/functions.hpp"
#include "bind/translate.hpp"
#include "bind/watched_call.hpp"
#include "certificate/claim_writer.hpp"
#include "search/narrow_sums.hpp"

namespace ostrya {
namespace {

using Proof = std::pair<std::optional<nb::bytes>, std::uint64_t>;

/// The claims that prove a lower bound, and their size. Nothing where a limit ended the
/// call; the size is then 0, or an estimate where they would be too large.
Proof prove(const Rows& values, const ClassCodes& codes, const Weights& weights,
            const Costs& costs, Cost scale, Cost penalty,
            const values::Options& options, Cost bound, std::uint64_t most_bytes,
            std::int64_t price_work, Question is_interrupted) {
    using certificate::Ending;
    const Request request =
        request_of({values, codes, weights, costs, {scale, penalty}}, options);
    WatchedCall call(options.limits, std::nullopt, std::move(is_interrupted));
    plan_trouble(call.memory, options.trouble);
    Ending ending = Ending::stopped;
    std::uint64_t size = 0;
    std::string bytes;
    call.run([&] {
        const Problem problem = build_problem(request, call.memory, call.stop_check());
        if (!problem.is_complete) return;
        const Cost above = std::max<Cost>(bound - scale * problem.base, 0);
        const auto write = [&](auto writer) {
            ending = writer->write(above, price_work);
            size = ending == Ending::too_large ? writer->estimated_size() : 0;
            if (ending != Ending::written) return;
            bytes.assign(reinterpret_cast<const char*>(writer->bytes().data()),
                         writer->bytes().size());
            size = bytes.size();
        };
        const Options chosen = options_of(options);
        if (fits_narrow_sums(problem)) {
            write(std::make_unique<certificate::ClaimWriter<std::int32_t>>(
                problem, chosen, call.stop, call.progress, call.memory, most_bytes));
        } else {
            write(std::make_unique<certificate::ClaimWriter<std::int64_t>>(
                problem, chosen, call.stop, call.progress, call.memory, most_bytes));
        }
    });
    if (ending != Ending::written) return {std::nullopt, size};
    return {nb::bytes(bytes.data(), bytes.size()), size};
}

}  // namespace

void add_certificate(nb::module_& module) {
    module.def("prove", &prove, nb::arg("X"), nb::arg("codes"), nb::arg("weights"),
               nb::arg("costs"), nb::arg("scale"), nb::arg("penalty"),
               nb::arg("options"), nb::arg("bound"), nb::arg("most_bytes"),
               nb::arg("price_work"), nb::arg("is_interrupted") = nb::none());
}

}  // namespace ostrya
