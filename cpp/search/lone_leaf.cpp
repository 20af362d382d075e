#include "search/lone_leaf.hpp"

#include <algorithm>
#include <vector>

namespace ostrya {
namespace {

/// What a level keeps for a split (its place, sums, bounds and losses), and for a row
/// beside the rank in each column; near enough to refuse what cannot be held.
constexpr std::uint64_t bytes_per_split = 94, bytes_per_row = 24;

/// Loss of all rows under their best label, above the base.
Weight loss_of_all(const Problem& problem) {
    const std::size_t width = problem.layout.size();
    std::vector<Weight> gains(problem.layout.n_labels);
    for (std::size_t group = 0; group < problem.n_groups; ++group) {
        for (std::size_t label = 0; label < gains.size(); ++label) {
            gains[label] += problem.sums[group * width + label];
        }
    }
    return problem.potential - *std::max_element(gains.begin(), gains.end());
}

}  // namespace

std::uint64_t root_bytes(const Problem& problem) {
    return problem.n_cuts() * bytes_per_split +
           problem.n_groups * (bytes_per_row + 4 * problem.splits.size());
}

std::optional<Result> lone_leaf(const Problem& problem, std::uint64_t root_bytes,
                                StopSign& stop, Progress& progress,
                                const MemoryBudget& memory) {
    if (problem.is_complete) {
        if (memory.allows(root_bytes)) return {};
        stop.memory_is_out();
    }
    Result result;
    result.tree.nodes.emplace_back();
    result.lower = problem.scale.cost(problem.base, 1);
    result.upper = problem.scale.cost(problem.base + loss_of_all(problem), 1);
    result.status = result.lower == result.upper
                        ? Status::optimal
                        : stop.reason().value_or(Status::interrupted);
    result.statistics.seconds = stop.seconds();
    result.statistics.n_groups = problem.n_groups;
    progress.publish({stop.seconds(), result.lower, result.upper, 0, 0, 1});
    return result;
}

}  // namespace ostrya
