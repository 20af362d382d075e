#include "search/deepening.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {
namespace {

/// Cells that the scan of depth two may look at beforehand, some tenths of a second: a
/// tree of many leaves, where leaves are free, is worth more than the best of four.
constexpr std::int64_t most_cells = 800'000'000;
/// Trees this shallow are soon searched.
constexpr std::uint32_t shallow = 4;
/// When the other source of trees has its first turn: a search that is over sooner has
/// no need of it.
constexpr std::uint64_t first_trees = std::uint64_t{1} << 26;
constexpr std::uint64_t test_trees = 16;

}  // namespace

template <class Sum>
Deepening<Sum>::Deepening(const Problem& problem, const Options& options,
                          StopSign& stop, Progress& progress, MemoryBudget& memory,
                          Facts& facts, Statistics& statistics)
    : problem_(problem),
      options_(options),
      stop_(stop),
      memory_(memory),
      facts_(facts),
      trees_(options.trees, options.price_start ? test_trees : first_trees, stop,
             facts.pool, memory),
      pace_(problem, options, stop, facts),
      depths_(problem, options, stop, progress, memory, facts, statistics) {}

template <class Sum>
void Deepening<Sum>::scan_depth_two(const Level<Sum>& root, Cost budget,
                                    Bracket& best) {
    if (!depths_.next_is_scan() || !memory_.allows(memory_.used())) return;
    depths_.begin_again();
    if (!depths_.begin(root, best)) return;
    if (depths_.scan_pairs(budget, {most_cells}, best)) facts_.depths.prove(2);
    depths_.solver().branching.publish(best);
    // The scan of the other root comes next, and needs as much memory.
    depths_.release_large_root();
}

template <class Sum>
void Deepening<Sum>::search_below(Limits limits, const Node<Sum>& root) {
    limits_ = limits;
    // Where leaves are free, the first tree is as large as any.
    const bool leaves_cost =
        problem_.scale.penalty > 0 || limits.leaves != Limits::unlimited;
    if (!leaves_cost || limits.depth <= shallow) return;
    pace_.hurry(root.work(), root.splits.width);
}

template <class Sum>
void Deepening<Sum>::keep_pace(const Level<Sum>& root, Cost budget, Bracket& best) {
    const Cost before = best.upper;
    find_trees(best);
    const bool is_due = stop_.counted.of_search() >= pace_.next_turn();
    if (is_on() && is_due && !stop_.has_stopped()) {
        pace_.begin_turn(best);
        // The search needs the rest of the memory itself.
        if (memory_.allows(memory_.used())) {
            go_deeper(root, budget, best);
            depths_.release_below_root();
            pace_.end_turn(best);
        }
    }
    if (std::exchange(has_new_tree_, false) || best.upper < before) stop_.pause();
}

template <class Sum>
void Deepening<Sum>::go_deeper(const Level<Sum>& root, Cost budget, Bracket& best) {
    while (is_on()) {
        if (options_.effort && facts_.depths.proved() >= 3) {
            stop_.end_after({.nanoseconds = *options_.effort});
        }
        const std::uint64_t left = pace_.work_left(best, depths_.has_promising());
        if (left == 0) return;
        const std::uint64_t before = stop_.counted.all();
        stop_.pause_after({.work = left});
        const bool is_done =
            depths_.begin(root, best) && depths_.search(limits_.leaves, budget, best);
        stop_.go_on();
        const std::uint64_t took = stop_.counted.all() - before;
        pace_.count(took);
        stop_.counted.set_aside(took);
        if (!is_done) return;
        facts_.depths.prove(facts_.depths.proved() + 1);
    }
}

template class Deepening<std::int32_t>;
template class Deepening<std::int64_t>;

}  // namespace ostrya
