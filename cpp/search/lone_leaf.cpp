#include "search/lone_leaf.hpp"

#include <algorithm>
#include <utility>

#include "search/narrow_sums.hpp"

namespace ostrya {
namespace {

/// What a level keeps for a split (its place and bounds), and for a row beside its sums
/// and the rank in each column; near enough to refuse what cannot be held.
constexpr std::uint64_t bytes_per_split = 62, bytes_per_row = 16;
/// Losses of a split beside its sums.
constexpr std::uint64_t losses_per_split = 4;

}  // namespace

std::uint64_t root_bytes(const Problem& problem) {
    const std::uint64_t sum = fits_narrow_sums(problem) ? 4 : 8;
    const std::uint64_t slots = problem.layout.size();
    std::size_t most_cuts = 0;
    for (const SplitColumn& column : problem.splits) {
        most_cuts = std::max(most_cuts, column.cuts.size());
    }
    // Sums are of a split and its cell, of a row, and of the ranks of a column.
    return problem.n_cuts() * (bytes_per_split + sum * (2 * slots + losses_per_split)) +
           problem.n_groups *
               (bytes_per_row + sum * slots + 4 * problem.splits.size()) +
           most_cuts * sum * slots;
}

std::optional<Result> lone_leaf(const Problem& problem, std::uint64_t root_bytes,
                                StopSign& stop, Progress& progress,
                                const MemoryBudget& memory,
                                const ReadKnown& read_known) {
    if (!stop.reason()) {
        if (problem.is_complete && memory.allows(root_bytes)) return {};
        stop.memory_is_out();
    }
    KnownResult known;
    known.tree.nodes.emplace_back();
    known.lower = problem.scale.cost(problem.base, 1);
    known.upper = problem.scale.cost(problem.one_leaf, 1);
    if (problem.is_complete && read_known) known = read_known().value_or(known);
    Result result;
    result.tree = std::move(known.tree);
    result.lower = known.lower;
    result.upper = known.upper;
    result.proved_depth = known.proved_depth;
    result.status = result.lower == result.upper ? Status::optimal : *stop.reason();
    result.statistics.seconds = stop.watch.seconds();
    result.statistics.n_groups = problem.n_groups;
    result.statistics.peak_memory = memory.peak();
    progress.publish({stop.watch.seconds(), result.lower, result.upper, 0,
                      memory.used(), known.n_leaves, known.proved_depth, result.lower});
    return result;
}

}  // namespace ostrya
