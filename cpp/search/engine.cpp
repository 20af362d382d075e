#include "search/engine.hpp"

#include <utility>

#include "greedy/greedy_search.hpp"
#include "search/frontier_search.hpp"
#include "search/lone_leaf.hpp"
#include "search/narrow_sums.hpp"
#include "search/root_search.hpp"
#include "search/saved_facts.hpp"
#include "search/task_search.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

/// A greedy tree where the search is late to get to one. It does not depend on the time
/// limit: whatever a shorter search finds, a longer one finds too.
std::optional<CountedTree> tree_beforehand(const Request& request,
                                           const Problem& problem, const Tuning& tuning,
                                           StopSign& stop, MemoryBudget& memory) {
    if (problem.limits.reachable_depth() == 0) return {};
    if (!problem.is_complete || !memory.allows(root_bytes(problem))) {
        return grow_from_samples(request, tuning.greedy, stop, memory);
    }
    // Such a root takes hundreds of megabytes.
    if (problem.n_cuts() >= tuning.first_trees.huge_root_splits &&
        problem.limits.reachable_depth() >= 2) {
        return grow_from_features(request, tuning.greedy, stop, memory);
    }
    return {};
}

/// What it took to rank and merge the rows (watch/work_count.hpp): 20 to 50 ns a cell
/// were measured. The levels of a categorical column share a cell.
std::uint64_t preparation_nanoseconds(const Request& request, const Tuning& tuning) {
    return tuning.search.preparation_per_cell * request.values.n_rows() *
           request.values.cells.n_columns;
}

/// The narrowest search that holds all sums: one of 32 bits, or one of 64.
template <template <class> class Search, class... What>
auto run_search(const Problem& problem, const Options& options, StopSign& stop,
                Progress& progress, MemoryBudget& memory, What... what) {
    // A task of a cluster has one thread.
    const bool is_task = options.part != nullptr && !options.optimum;
    SharedFacts facts(
        memory,
        usable_switches(options.switches, problem.min_samples_leaf).depth_transfer,
        options.n_threads > 1 && !is_task);
    Statistics statistics;
    const SearchContext context{problem, options, stop,      progress,
                                memory,  facts,   statistics};
    if (fits_narrow_sums(problem)) return Search<std::int32_t>(context).run(what...);
    return Search<std::int64_t>(context).run(what...);
}

/// What an earlier search has kept of the root, if there was one.
std::optional<KnownResult> kept_result(const Problem& problem, const Options& options,
                                       MemoryBudget& memory) {
    if (options.checkpoint == nullptr || options.checkpoint->facts.empty()) return {};
    SubtreePool pool(memory, false);
    const SavedRoot root =
        read_root_alone(options.checkpoint->facts,
                        problem_digest(problem, options.switches), problem, pool);
    const Cost base = problem.scale.factor * problem.base;
    return KnownResult{unfold(pool, root.bracket.tree, problem),
                       root.bracket.lower + base, root.bracket.upper + base,
                       count_leaves(pool, root.bracket.tree), root.proved_depth};
}

Result search_problem(const Problem& problem, const Options& options, StopSign& stop,
                      Progress& progress, MemoryBudget& memory) {
    const auto read_known = [&] { return kept_result(problem, options, memory); };
    if (auto leaf = lone_leaf(problem, root_bytes(problem), stop, progress, memory,
                              read_known)) {
        return *leaf;
    }
    if (options.part != nullptr && !options.optimum) {
        return run_search<TaskSearch>(problem, options, stop, progress, memory);
    }
    return run_search<RootSearch>(problem, options, stop, progress, memory);
}

/// Have this tree in the result, if it is better.
void offer(CountedTree tree, const StopSign& stop, Progress& progress,
           const MemoryBudget& memory, Result& result) {
    if (tree.cost >= result.upper) return;
    result.tree = std::move(tree.tree);
    result.upper = tree.cost;
    if (result.lower >= result.upper) {
        result.lower = result.upper;
        result.status = Status::optimal;
    }
    result.statistics.peak_memory = memory.peak();
    result.statistics.seconds = stop.watch.seconds();
    TracePoint point{stop.watch.seconds(),          result.lower,  result.upper,
                     result.statistics.subproblems, memory.used(), tree.n_leaves,
                     result.proved_depth,           result.lower};
    point.work = stop.counted.all();
    point.nanoseconds = stop.counted.nanoseconds();
    progress.publish(point);
}

}  // namespace

Result search(const Request& request, const Problem& problem, const Options& options,
              StopSign& stop, Progress& progress, MemoryBudget& memory) {
    if (options.part != nullptr) {
        return search_problem(problem, options, stop, progress, memory);
    }
    stop.counted.add(0, preparation_nanoseconds(request, options.tuning));
    std::optional<CountedTree> greedy =
        tree_beforehand(request, problem, options.tuning, stop, memory);
    Result result = search_problem(problem, options, stop, progress, memory);
    const bool is_open = result.status != Status::optimal &&
                         result.status != Status::upper_bound &&
                         problem.limits.reachable_depth() > 0;
    // A shorter search may have had time for nothing else, and this one is not to be
    // worse than it. A checkpoint does not contain this tree, and a resumed search must
    // not begin with a worse one than its predecessor ended with.
    const bool compares =
        options.checkpoint == nullptr &&
        memory.allows(quick_growth_bytes(request, options.tuning.greedy));
    if (!greedy && is_open && (result.tree.nodes.size() == 1 || compares)) {
        greedy = grow_quickly(request, options.tuning.greedy, memory);
    }
    if (greedy) offer(std::move(*greedy), stop, progress, memory, result);
    return result;
}

std::vector<Result> search_sizes(const Request& request, const Problem& problem,
                                 const Options& options, FirstSize first,
                                 StopSign& stop, Progress& progress,
                                 MemoryBudget& memory) {
    std::optional<CountedTree> greedy =
        tree_beforehand(request, problem, options.tuning, stop, memory);
    std::vector<Result> sizes;
    if (auto leaf = lone_leaf(problem, root_bytes(problem), stop, progress, memory)) {
        if (first.n_leaves == 1) {
            sizes.push_back(*leaf);
            sizes[0].lower = sizes[0].upper;
            sizes[0].status = Status::optimal;
        }
        if (problem.limits.leaves > 1) sizes.push_back(*leaf);
    } else {
        sizes =
            run_search<FrontierSearch>(problem, options, stop, progress, memory, first);
    }
    const bool is_open = stop.reason() && problem.limits.reachable_depth() > 0;
    if (!greedy && is_open)
        greedy = grow_quickly(request, options.tuning.greedy, memory);
    if (greedy && is_open && greedy->n_leaves >= first.n_leaves) {
        const std::size_t at = greedy->n_leaves - first.n_leaves;
        if (sizes.size() <= at) sizes.resize(at + 1, sizes.back());
        for (std::size_t each = at; each < sizes.size(); ++each) {
            offer(*greedy, stop, progress, memory, sizes[each]);
        }
    }
    return sizes;
}

}  // namespace ostrya
