#include "search/deepening.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {

template <class Sum>
Deepening<Sum>::Deepening(const SearchContext& context)
    : problem_(context.problem),
      options_(context.options),
      stop_(context.stop),
      memory_(context.memory),
      facts_(context.facts),
      trees_(options_.trees, options_.tuning.incumbents, stop_, facts_.pool, memory_),
      pace_(context),
      depths_(context) {}

template <class Sum>
void Deepening<Sum>::scan_depth_two(const Level<Sum>& root, Cost budget,
                                    Bracket& best) {
    if (!depths_.next_is_scan() || !memory_.allows(memory_.used())) return;
    depths_.begin_again();
    if (!depths_.begin(root, best)) return;
    // Beyond this, a tree of many leaves is worth more where leaves are free.
    const ScanEffort effort{options_.tuning.deepening.depth_two_cells};
    if (depths_.scan_pairs(budget, effort, best)) facts_.depths.prove(2);
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
    if (!leaves_cost || limits.depth <= options_.tuning.deepening.unhurried_depth)
        return;
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
