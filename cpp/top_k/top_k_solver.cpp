#include "top_k/top_k_solver.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"
#include "search/closing.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

/// Children between two looks at the memory.
constexpr std::uint64_t memory_interval = 256;

/// A depth that no tree reaches, from which levels can be counted down.
constexpr std::uint32_t endless = 1u << 30;

bool all_equal(const std::vector<std::uint32_t>& widths) {
    return std::count(widths.begin(), widths.end(), widths[0]) ==
           static_cast<std::ptrdiff_t>(widths.size());
}

}  // namespace

template <class Nodes>
TopKSolver<Nodes>::TopKSolver(const Problem& problem, const Options& options,
                              StopSign& stop, Progress& progress)
    : problem_(problem),
      options_(options),
      top_k_(*options.top_k),
      is_uniform_(all_equal(options.top_k->widths)),
      stop_(stop),
      progress_(progress),
      nodes_(problem, top_k_, stop),
      // Where levels differ in k, so do the trees of a row set at different depths.
      memo_(pool_, options.memory() / 2, Switch{is_uniform_, 0}),
      side_total_(nodes_.reader().size()) {}

template <class Nodes>
auto TopKSolver<Nodes>::level_at(std::size_t depth) -> Level& {
    while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
    return *levels_[depth];
}

template <class Nodes>
std::uint32_t TopKSolver<Nodes>::width_at(std::size_t level) const {
    return std::min(widest_, top_k_.width(level));
}

template <class Nodes>
Result TopKSolver<Nodes>::run() {
    Level& root = level_at(0);
    nodes_.build_root(root.node);
    Limits limits = problem_.limits.without_idle_leaves();
    if (!is_uniform_ && limits.depth == Limits::unlimited) limits.depth = endless;
    Bracket best;
    widen(limits, best);
    best.lower = std::min(best.lower, best.upper);
    publish(best);

    const Cost base = problem_.grid.scale * problem_.base;
    Result result;
    result.tree = unfold(pool_, best.tree, problem_);
    result.lower = best.lower + base;
    result.upper = best.upper + base;
    result.status = !best.is_solved() ? stop_.reason().value_or(Status::memory_limit)
                    : has_left_out_   ? Status::optimal_in_top_k
                                      : Status::optimal;
    result.statistics = statistics_;
    close(result.statistics, problem_, memo_, stop_.seconds());
    return result;
}

/// Search with k = 1, 2, 4, ... up to the k asked for, or to where no node has more.
template <class Nodes>
void TopKSolver<Nodes>::widen(Limits limits, Bracket& best) {
    const std::uint32_t most =
        *std::max_element(top_k_.widths.begin(), top_k_.widths.end());
    for (std::uint64_t width = 1;; width *= 2) {
        widest_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(width, most));
        has_left_out_ = false;
        memo_.forget();
        // A narrower search proves nothing of a wider one.
        best.lower = problem_.grid.penalty;
        best = solve(0, limits, best.upper, best);
        const bool is_last = widest_ == most || !has_left_out_;
        if (is_last || stop_.is_up()) {
            if (!is_last) best.lower = problem_.grid.penalty;
            return;
        }
        best.lower = problem_.grid.penalty;
        publish(best);
    }
}

/// Find a tree of cost below `budget`, or prove that there is none.
template <class Nodes>
Bracket TopKSolver<Nodes>::solve(std::size_t depth, Limits limits, Cost budget,
                                 Bracket known) {
    ++statistics_.subproblems;
    Level& level = level_at(depth);
    const Grid& grid = problem_.grid;
    const Weight loss = nodes_.reader().loss(level.node.total.data(), 1);
    Bracket best = std::move(known);
    if (grid.of(loss, 1) <= best.upper) {
        best.upper = grid.of(loss, 1);
        best.tree = Subtree();
    }
    if (limits.reachable_depth() == 0 || leaf_is_optimal(loss, grid, {})) {
        best.lower = best.upper;
        return best;
    }
    if (best.settles(budget) || stop_.is_up()) return best;
    const std::uint32_t most =
        most_leaves_under(std::min(budget, best.upper), grid, {});
    // Trees with more leaves than `most` cost at least `beyond`, which is no better
    // than what is wanted; all others have depth most - 1 at most. More leaves than
    // rows there are none.
    const Cost beyond =
        most >= level.node.n_rows ? unreachable : (most + Cost{1}) * grid.penalty;
    Cost least = beyond;
    if (most > 1) {
        const std::uint32_t reach = std::min(limits.reachable_depth(), most - 1);
        ++statistics_.first_scans;
        has_left_out_ |= nodes_.choose(level.node, width_at(depth), level.candidates);
        if (stop_.is_up()) return best;
        least = std::min(beyond, try_candidates(depth, reach, limits, budget, best));
    }
    best.lower = std::max(best.lower, std::min(best.upper, least));
    return best;
}

/// Every candidate, in the way that suits the depth its subtrees can reach.
template <class Nodes>
Cost TopKSolver<Nodes>::try_candidates(std::size_t depth, std::uint32_t reach,
                                       Limits limits, Cost budget, Bracket& best) {
    if (reach == 1) return try_singles(level_at(depth), best);
    if constexpr (Nodes::counts_pairs) {
        if (reach == 2) return try_pairs(depth, limits, budget, best);
    }
    return try_splits(depth, limits, budget, best);
}

/// Candidates with a leaf on both sides.
template <class Nodes>
Cost TopKSolver<Nodes>::try_singles(const Level& level, Bracket& best) {
    Cost least = unreachable;
    for (const std::uint32_t split : level.candidates) {
        const Cost cost = problem_.grid.of(
            side_loss(level.node, split, true) + side_loss(level.node, split, false),
            2);
        least = std::min(least, cost);
        if (cost < best.upper) {
            best.lower_to(cost, Subtree::join(pool_, level.node.splits[split], {}, {}));
        }
    }
    return least;
}

/// Search below each candidate in turn; the least that any tree that splits can cost.
template <class Nodes>
Cost TopKSolver<Nodes>::try_splits(std::size_t depth, Limits limits, Cost budget,
                                   Bracket& best) {
    Level& level = level_at(depth);
    Cost least = unreachable;
    for (const std::uint32_t split : level.candidates) {
        if (stop_.is_up()) return 2 * problem_.grid.penalty;
        const Cost cap = std::min(budget, best.upper);
        Cost lower =
            side_lower(level.node, split, true) + side_lower(level.node, split, false);
        if (lower < cap) {
            nodes_.part(level.node, split, level.parting);
            memo_.prefetch(level.parting.hash(true));
            memo_.prefetch(level.parting.hash(false));
            lower = limits.leaves == Limits::unlimited
                        ? explore(depth, split, limits, cap, best)
                        : share_leaves(depth, split, limits, cap, best);
        }
        least = std::min(least, lower);
        if (depth == 0 && widest_ == top_k_.width(0)) publish(best);
    }
    return stop_.is_up() ? 2 * problem_.grid.penalty : least;
}

template <class Nodes>
Weight TopKSolver<Nodes>::side_loss(const Node& node, std::uint32_t split,
                                    bool yes) const {
    const SumReader<Sum>& reader = nodes_.reader();
    const Sum* sums = node.yes.data() + split;
    if (yes) return reader.loss(sums, node.width);
    const SumLayout& layout = reader.layout();
    Weight gain = 0;
    for (std::uint32_t label = 0; label < layout.n_labels; ++label) {
        gain = std::max<Weight>(gain, node.total[label] - sums[label * node.width]);
    }
    return reader.potential(node.total.data(), 1) - reader.potential(sums, node.width) -
           gain;
}

template <class Nodes>
Cost TopKSolver<Nodes>::side_lower(const Node& node, std::uint32_t split,
                                   bool yes) const {
    return std::min(problem_.grid.of(side_loss(node, split, yes), 1),
                    2 * problem_.grid.penalty);
}

template <class Nodes>
std::uint64_t TopKSolver<Nodes>::memory_now() const {
    std::uint64_t bytes =
        memo_.bytes() + pool_.bytes() + nodes_.bytes() + problem_.n_groups * 24;
    for (const auto& level : levels_) bytes += level->bytes();
    return bytes;
}

/// Keep within the memory limit: forget the memo first, stop if that is not enough.
template <class Nodes>
void TopKSolver<Nodes>::watch_memory() {
    if (++n_children_ % memory_interval != 0) return;
    const std::uint64_t bytes = memory_now();
    statistics_.peak_memory = std::max(statistics_.peak_memory, bytes);
    if (bytes <= options_.memory()) return;
    memo_.forget();
    if (memory_now() > options_.memory()) stop_.memory_is_out();
}

template <class Nodes>
void TopKSolver<Nodes>::publish(const Bracket& best) {
    const Cost base = problem_.grid.scale * problem_.base;
    const TracePoint point{stop_.seconds(),   std::min(best.lower, best.upper) + base,
                           best.upper + base, statistics_.subproblems,
                           memory_now(),      count_leaves(pool_, best.tree)};
    statistics_.peak_memory = std::max(statistics_.peak_memory, point.memory);
    progress_.publish(point);
}

template class TopKSolver<CutNodes<std::int32_t>>;
template class TopKSolver<CutNodes<std::int64_t>>;
template class TopKSolver<RowNodes<std::int32_t>>;
template class TopKSolver<RowNodes<std::int64_t>>;

}  // namespace ostrya
