#include "search/solver.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"

namespace ostrya {

template <class Sum>
Solver<Sum>::Solver(const SearchContext& context)
    : switches(
          usable_switches(context.options.switches, context.problem.min_samples_leaf)),
      builder(context.problem, context.memory),
      branching(context,
                [this] {
                    return std::make_unique<LevelT>(problem_.scale, switches, memory_);
                }),
      scan(context, switches, builder),
      prices(context, price_bounds_),
      sharing(context),
      problem_(context.problem),
      tuning_(context.tuning().search),
      stop_(context.stop),
      memory_(context.memory),
      price_bounds_(context.problem, context.options.switches, context.memory) {}

template <class Sum>
Bracket Solver<Sum>::solve(std::size_t depth, Limits limits, Cost budget,
                           Bracket known) {
    assert(depth > 0);
    ++branching.statistics.subproblems;
    Bracket best = std::move(known);
    prices.keep_pace();
    if (look_between_) look_between_();
    // What prices say of this node, the bounds of its parent's split say already.
    LevelT& level = branching.level_at(depth);
    level.price_version = branching.level_at(depth - 1).price_version;
    level.begin_search();
    if (prices_settle(depth, budget, best)) return best;
    LeafCount count;
    BestPair found;
    if (try_leaf(depth, limits, budget, best)) return best;
    if (scan_singles(depth, limits, budget, best, count)) return best;
    if (scan_pairs(depth, limits, budget, count, found, best)) return best;
    branch(depth, limits, budget, found.cost, best);
    assert(stop_.has_stopped() || best.settles(budget));
    return best;
}

template <class Sum>
bool Solver<Sum>::try_leaf(std::size_t depth, Limits limits, Cost budget,
                           Bracket& best) {
    const Node<Sum>& node = branching.level_at(depth).node;
    const Weight loss = builder.reader().loss(node.rows.total.data(), 1);
    best.offer_leaf(problem_.scale.cost(loss, 1));
    if (limits.depth == 0 || limits.leaves == 1 ||
        leaf_is_optimal(loss, problem_.scale, switches.leaf_optimal)) {
        best.lower = best.upper;
        return true;
    }
    return best.settles(budget);
}

template <class Sum>
bool Solver<Sum>::scan_singles(std::size_t depth, Limits limits, Cost budget,
                               Bracket& best, LeafCount& count) {
    LevelT& level = branching.level_at(depth);
    scan.scan_singles(level, best);
    level.children.clear();
    if (depth > 0 && has_use_for_neighbours(level.node, limits)) {
        branching.level_at(depth - 1).children.hand_down(level.place, limits,
                                                         level.node, level.bounds);
    }
    if (limits.reachable_depth() <= 1) {
        best.lower = best.upper;
        return true;
    }
    level.is_scanned = true;
    if (price_bounds_.version() > 0) {
        price_bounds_.raise(level);
        level.price_version = price_bounds_.version();
        best.raise(least_rest(level, unreachable));
        if (best.settles(budget)) return true;
    }
    const Cost goal = std::min(budget, best.upper);
    count.most_leaves = most_leaves_under(goal, problem_.scale, switches.leaf_count);
    count.beyond = count.most_leaves == Limits::unlimited
                       ? unreachable
                       : (count.most_leaves + Cost{1}) * problem_.scale.penalty;
    // All trees of `most_leaves` have depth most_leaves - 1 at most.
    if (count.most_leaves <= 2) {
        best.raise(count.beyond);
        return true;
    }
    return scan.is_stopped(level.node);
}

template <class Sum>
bool Solver<Sum>::scan_pairs(std::size_t depth, Limits limits, Cost budget,
                             const LeafCount& count, BestPair& found, Bracket& best) {
    LevelT& level = branching.level_at(depth);
    budget = scan_budget(level.node, limits, budget);
    // Where three leaves are the most, pairs say all; larger trees cost `beyond`.
    const bool is_shallow = count.most_leaves <= 3 && limits.depth > 2;
    const Limits scanned = is_shallow ? Limits{2, limits.leaves} : limits;
    // Then bounds of the splits hold for trees this small, not for neighbours.
    if (is_shallow) level.bounds.cover_all_trees = false;
    ScanEffort unbounded;
    found = scan.scan_pairs(level, scanned, std::min(budget, best.upper), unbounded);
    if (found.cost < std::min(budget, best.upper)) {
        best.lower_to(found.cost, scan.tree_of(level, found));
    }
    if (count.most_leaves <= 3) {
        // Of the splits scanned in pairs, only trees with too many leaves are left.
        for (std::uint32_t split = 0; split < level.node.splits.width; ++split) {
            if (level.losses.seen[split] == Seen::pairs) {
                level.bounds.raise_rest(split, count.beyond);
            }
        }
    }
    const Cost unseen = is_shallow ? count.beyond : unreachable;
    best.raise(std::min(unseen, least_rest(level, found.cost)));
    return scan.is_stopped(level.node) || best.settles(budget);
}

/// Visit children, most promising split first, until nothing can beat the goal.
template <class Sum>
void Solver<Sum>::branch(std::size_t depth, Limits limits, Cost budget, Cost shallow,
                         Bracket& best) {
    LevelT& level = branching.level_at(depth);
    while (!scan.is_stopped(level.node) && !prices_settle(depth, budget, best)) {
        const Cost goal = std::min(budget, best.upper);
        const SplitChoice choice = sharing.next_split(level, goal);
        if (choice.split == none) break;
        assert(choice.rest < goal);
        explore(depth, choice.split, limits, goal + choice.slack, best);
    }
    best.raise(least_rest(level, shallow));
}

template <class Sum>
void Solver<Sum>::explore(std::size_t depth, std::uint32_t split, Limits limits,
                          Cost cap, Bracket& best) {
    const TaskLog::Timer timer(tasks, depth, stop_);
    LevelT& level = branching.level_at(depth);
    SplitBounds& bounds = level.bounds;
    level.partition.split(level.node, split);
    branching.memo().prefetch(level.partition.hash(true));
    branching.memo().prefetch(level.partition.hash(false));
    if (sharing.leaves_to_others(level, split, limits)) return;
    if (limits.leaves != Limits::unlimited) {
        share_leaves(depth, split, limits, cap, best);
        return;
    }
    const Limits below = limits.child();
    count_children(depth, split, below, cap);
    if (bounds.rest(split) >= std::min(cap, best.upper)) return;
    const auto visit = [&](bool yes) {
        Bracket found =
            child(depth, split, yes, below, cap - bounds.of(split).side(!yes));
        bounds.raise(split, yes, found.lower);
        return found;
    };
    // The smaller child first: it is the sooner solved, and what it costs is taken off
    // the budget of the larger.
    const SumReader<Sum>& reader = builder.reader();
    const Weight total = reader.potential(level.node.rows.total.data(), 1);
    const bool yes_first =
        sharing.first_child(level, 2 * bounds.of(split).potential < total);
    const Bracket first = visit(yes_first);
    if (bounds.rest(split) >= cap || scan.is_stopped(level.node)) return;
    const Bracket second = visit(!yes_first);
    branching.join(level.node.splits.names[split], yes_first ? first : second,
                   yes_first ? second : first, best);
}

/// The same under a limit on leaves: all ways to share them between the children.
///
/// First each child gets all leaves but one. Only when the two trees found together
/// have too many are the shares tried one by one.
template <class Sum>
void Solver<Sum>::share_leaves(std::size_t depth, std::uint32_t split, Limits limits,
                               Cost cap, Bracket& best) {
    LevelT& level = branching.level_at(depth);
    SplitBounds& bounds = level.bounds;
    const Split name = level.node.splits.names[split];
    Bracket sides[2];  // no, yes
    for (const bool yes : {true, false}) {
        sides[yes] =
            child(depth, split, yes, limits.child(), cap - bounds.of(split).side(!yes));
        bounds.raise(split, yes, sides[yes].lower);
        if (bounds.rest(split) >= cap || scan.is_stopped(level.node)) return;
    }
    const std::uint32_t n_leaves =
        branching.n_leaves(sides[0]) + branching.n_leaves(sides[1]);
    if (n_leaves <= limits.leaves) {
        branching.join(name, sides[1], sides[0], best);
        return;
    }
    const Cost least =
        branching.share_leaves(name, limits, cap, sides[0].lower, best,
                               [&](bool yes, Limits share, Cost budget) {
                                   return child(depth, split, yes, share, budget);
                               });
    if (!stop_.is_up()) bounds.raise_rest(split, least);
}

/// Raise the bounds of a split to what its children cost, if two levels are left for
/// them and tables count them; their trees are not built.
template <class Sum>
void Solver<Sum>::count_children(std::size_t depth, std::uint32_t split, Limits limits,
                                 Cost cap) {
    LevelT& level = branching.level_at(depth);
    if (!level.node.uses_tables || limits.reachable_depth() != 2) return;
    Memo& memo = branching.memo();
    const auto is_open = [&](bool yes) {
        const Weight loss = level.losses.leaf(split, yes);
        if (leaf_is_optimal(loss, problem_.scale, switches.leaf_optimal)) {
            level.bounds.raise(split, yes, problem_.scale.cost(loss, 1));
            return false;
        }
        const Bracket known = memo.find(level.partition.hash(yes), limits);
        level.bounds.raise(split, yes, known.lower);
        return !known.is_solved() && !known.is_tight;
    };
    const bool yes_is_open = is_open(true), no_is_open = is_open(false);
    typename Tables<Sum>::Children children{yes_is_open, no_is_open};
    if (level.bounds.rest(split) >= cap || (!yes_is_open && !no_is_open)) return;
    const std::uint64_t most_bytes =
        std::min(memory_.limit() / tuning_.memory_part, tuning_.most_table_bytes);
    if (!scan.solve_children(level, most_bytes, children)) return;
    const auto note = [&](bool yes, Cost cost) {
        level.bounds.raise(split, yes, cost);
        Bracket found = memo.find(level.partition.hash(yes), limits);
        found.lower = cost;
        found.is_tight = true;
        memo.store(level.partition.hash(yes), limits, found, 1);
        ++branching.statistics.subproblems;
    };
    if (children.for_yes) note(true, children.yes);
    if (children.for_no) note(false, children.no);
}

/// Have a node know of prices that are newer than those that bound it.
template <class Sum>
void Solver<Sum>::use_prices(std::size_t depth, Cost budget, Bracket& best) {
    LevelT& level = branching.level_at(depth);
    if (price_bounds_.version() == level.price_version) return;
    level.price_version = price_bounds_.version();
    best.raise(price_bounds_.of_node(level.node));
    if (level.is_scanned && !best.settles(budget)) price_bounds_.raise(level);
}

/// Whether what neighbours proved saves a node work: where pairs are dear and are not
/// all counted anyway.
template <class Sum>
bool Solver<Sum>::has_use_for_neighbours(const Node<Sum>& node, Limits limits) const {
    return !node.histograms.empty() &&
           !(node.uses_tables && limits.reachable_depth() <= 2);
}

template <class Sum>
Bracket Solver<Sum>::child(std::size_t depth, std::uint32_t split, bool yes,
                           Limits limits, Cost budget) {
    LevelT& level = branching.level_at(depth);
    const Cost leaf = problem_.scale.cost(level.losses.leaf(split, yes), 1);
    limits = drop_idle_limits(limits, leaf, problem_.scale, switches.leaf_count);
    const auto search = [&](LevelT& below, Bracket known) {
        level.partition.build(builder, level.node, yes, below.node);
        below.place = {level.node.splits.names[split], yes};
        below.bounds.cover_all_trees = false;
        Bracket found = solve(depth + 1, limits, budget, std::move(known));
        if (below.bounds.cover_all_trees &&
            has_use_for_neighbours(below.node, limits)) {
            level.children.keep(below.place, limits, below.node, below.bounds,
                                std::min(memory_.limit() / tuning_.memory_part,
                                         tuning_.most_neighbour_bytes));
        }
        return found;
    };
    return branching.child(depth, {level.partition.hash(yes), limits, leaf}, budget,
                           search);
}

template class Solver<std::int32_t>;
template class Solver<std::int64_t>;

}  // namespace ostrya
