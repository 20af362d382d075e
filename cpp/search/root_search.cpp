#include "search/root_search.hpp"

#include <algorithm>

#include "bounds/leaf_count.hpp"
#include "search/root_splits.hpp"
#include "search/tree_choice.hpp"

namespace ostrya {

template <class Sum>
RootSearch<Sum>::RootSearch(const SearchContext& context)
    : context_(context),
      problem_(context.problem),
      options_(context.options),
      stop_(context.stop),
      facts_(context.facts),
      solver_(context),
      branching_(solver_.branching),
      deepening_(context),
      growth_(context, solver_, deepening_),
      checkpoint_(context) {}

template <class Sum>
Result RootSearch<Sum>::run() {
    if (checkpoint_.open()) return branching_.conclude(facts_.known, Status::optimal);
    const bool is_built = build();
    const Bracket unknown = unsearched();
    if (!is_built) return branching_.conclude(unknown, Status::optimal);
    const Limits limits = drop_idle_limits(problem_.limits, unknown.upper,
                                           problem_.scale, solver_.switches.leaf_count);
    const Cost base = problem_.scale.factor * problem_.base;
    const Cost budget = options_.upper ? *options_.upper - base : unreachable;
    if (options_.logs_tasks) solver_.tasks.start();
    if (options_.effort) {
        const std::uint64_t prepared = stop_.counted.nanoseconds();
        // It ends then whatever is proved: the preparation of its rows included, unless
        // that leaves less than one effort for it.
        stop_.end_after({.nanoseconds = std::max(
                             options_.tuning.search.most_efforts * *options_.effort,
                             prepared + *options_.effort)});
    }
    Bracket best;
    const auto find_trees = [&] {
        if (best.is_solved()) return;  // only the choice among equal trees is left
        if (deepening_.find_trees(best)) branching_.publish(best);
    };
    solver_.scan.look_between(find_trees);
    deepening_.look_in_scans(find_trees);
    solve(limits, budget, best);
    solver_.scan.look_between({});
    deepening_.look_in_scans({});
    checkpoint_.conclude(branching_.level_at(0), best, age(), solver_.prices.prices(),
                         best.is_solved() && !stop_.reason());
    Result result = branching_.conclude(best, Status::optimal);
    result.tasks = solver_.tasks.take();
    const Level<Sum>& root = branching_.level_at(0);
    if (options_.hand_over && is_opened_ && root.bounds.cover_all_trees) {
        result.splits = table_of(root, problem_);
    }
    if (!best.is_solved() && best.lower >= budget) result.status = Status::upper_bound;
    return result;
}

template <class Sum>
bool RootSearch<Sum>::build() {
    const Node<Sum>& root = branching_.level_at(0).node;
    const bool is_built = solver_.builder.build_root(
        branching_.level_at(0).node, [this] { return stop_.is_late(); });
    stop_.counted.add(0, root.nanoseconds());
    return is_built;
}

template <class Sum>
Bracket RootSearch<Sum>::unsearched() {
    const Node<Sum>& root = branching_.level_at(0).node;
    const Weight loss = solver_.builder.reader().loss(root.rows.total.data(), 1);
    Bracket out;
    out.offer_leaf(problem_.scale.cost(loss, 1));
    out.lower = problem_.scale.cost(0, 1);
    return out;
}

template <class Sum>
void RootSearch<Sum>::solve(Limits limits, Cost budget, Bracket& best) {
    BestPair found;
    if (open(limits, budget, found, best)) return;
    is_opened_ = true;
    const Level<Sum>& root = branching_.level_at(0);
    deepening_.search_below(limits, root.node);
    if (growth_.below_pair(found, limits, budget, best)) return;
    deepening_.keep_pace(root, budget, best);
    const Cost first = best.upper;
    go_on_from_kept(best);
    if (options_.optimum) {
        choose_tree(limits, first, best);
        return;
    }
    solver_.look_between([&] {
        deepening_.keep_pace(root, budget, best);
        keep_if_due(best);
        // One that is over sooner has no need of others, and another rule for its tree.
        if (options_.hand_over && is_long_enough_to_share()) {
            stop_.watch.end_in(
                std::max(0.0, *options_.hand_over - stop_.watch.seconds()));
        }
        if (options_.n_threads > 1 && !workers_ && is_long_enough_to_share()) {
            start_workers(limits, budget, best);
        }
    });
    // Once another thread has ended the search, all is proved, and the shared root has
    // what it proved; or it has failed, and nothing found from here on would be handed
    // back.
    do {
        branch(limits, budget, found.cost, best);
    } while (stop_.go_on() && !(workers_ && workers_->shared_root().is_over()));
    solver_.look_between({});
    if (workers_) end_workers(found.cost, best);
    if (best.lower > best.upper) {
        throw SavedFactsError("it contains a bound that a tree contradicts");
    }
    // The first tree is the same however the search goes on; so is the chosen one.
    // Which of both is returned does not depend on threads, which only long searches
    // start, nor on stops, since only long searches go on from a checkpoint.
    const bool chooses = is_long(age().all_work);
    if (best.upper < first && chooses && best.is_solved() && !stop_.has_stopped()) {
        auto tree = TreeChoice<Sum>(problem_, solver_, context_.memory)
                        .choose(limits, best.upper);
        if (tree) best.tree = *std::move(tree);
    }
}

/// The tree of the cost that others have proved to be the least; the first one costs
/// `first`.
template <class Sum>
void RootSearch<Sum>::choose_tree(Limits limits, Cost first, Bracket& best) {
    const Cost least = *options_.optimum - problem_.scale.factor * problem_.base;
    if (first > least) {
        learn(branching_.level_at(0), *options_.part);
        auto tree =
            TreeChoice<Sum>(problem_, solver_, context_.memory).choose(limits, least);
        if (!tree) return;
        best.upper = least;
        best.tree = *std::move(tree);
    }
    best.lower = least;
}

template <class Sum>
bool RootSearch<Sum>::open(Limits limits, Cost budget, BestPair& found, Bracket& best) {
    ++branching_.statistics.subproblems;
    const Node<Sum>& root = branching_.level_at(0).node;
    LeafCount count;
    if (solver_.try_leaf(0, limits, budget, best)) return true;
    branching_.publish(best);  // whoever watches may stop it before the first tree
    PriceSeeker& prices = solver_.prices;
    prices.when_risen([&](Cost lower) {
        best.raise(lower);
        branching_.publish(best);
    });
    if (solver_.scan_singles(0, limits, budget, best, count)) return true;
    facts_.depths.prove(1);
    if (growth_.before_pairs(limits, budget, best)) return true;
    const bool sees_all_pairs =
        !solver_.scan.plan.samples_cuts(root, limits, std::min(budget, best.upper));
    if (solver_.scan_pairs(0, limits, budget, count, found, best)) return true;
    if (sees_all_pairs) facts_.depths.prove(2);
    branching_.publish(best);
    return false;
}

/// Have what is proved kept from here on, and know what an earlier search has kept.
template <class Sum>
void RootSearch<Sum>::go_on_from_kept(Bracket& best) {
    if (!checkpoint_.is_on()) return;
    Level<Sum>& root = branching_.level_at(0);
    deepening_.look_between([&] { keep_if_due(best); });
    if (checkpoint_.has_facts() && !is_long(checkpoint_.earlier_work())) {
        checkpoint_.begin_again();
        return;
    }
    PriceState prices(context_.memory);
    before_ = checkpoint_.restore(root, best,
                                  [&](const PriceState& known) { prices = known; });
    if (!checkpoint_.has_facts()) return;
    stop_.counted.go_on_after(before_.work);
    solver_.prices.go_on_from(prices, before_.next_prices);
    deepening_.go_on_from({before_.turns, before_.next_turn});
    branching_.publish(best);
}

template <class Sum>
void RootSearch<Sum>::keep_if_due(const Bracket& best) {
    if (!checkpoint_.is_due()) return;
    checkpoint_.keep(branching_.level_at(0), best, age(), solver_.prices.prices());
}

template <class Sum>
SearchAge RootSearch<Sum>::age() const {
    const DeepeningAge turns = deepening_.age();
    return {stop_.counted.of_search(),
            stop_.counted.all() + before_.all_work,
            context_.statistics.subproblems + before_.subproblems,
            solver_.prices.next_work(),
            turns.work,
            turns.next_turn};
}

/// Whether the search is long enough by now for other threads to join it, if there are
/// any: what a shorter one finds does not depend on them.
template <class Sum>
bool RootSearch<Sum>::is_long_enough_to_share() const {
    return is_long(stop_.counted.of_search());
}

template <class Sum>
bool RootSearch<Sum>::is_long(std::uint64_t work) const {
    return work >= options_.tuning.search.long_work;
}

template <class Sum>
void RootSearch<Sum>::start_workers(Limits limits, Cost budget, const Bracket& best) {
    const Level<Sum>& root = branching_.level_at(0);
    workers_ = std::make_unique<WorkerGroup<Sum>>(context_, limits, budget, root, best);
}

/// The split to explore next: no tree that is yet to be found costs less than its
/// bound.
template <class Sum>
SplitChoice RootSearch<Sum>::next_split(Cost goal, Bracket& best) {
    if (workers_) return workers_->next_split(solver_, goal, best);
    const SplitChoice choice = choose_split(branching_.level_at(0), problem_.scale,
                                            options_.tuning.search, goal);
    best.raise(choice.rest);
    return choice;
}

/// Know all that the others have found, and have their memory back.
template <class Sum>
void RootSearch<Sum>::end_workers(Cost shallow, Bracket& best) {
    workers_->conclude(context_.statistics);
    Level<Sum>& root = branching_.level_at(0);
    workers_->shared_root().exchange(root.bounds, best);
    workers_.reset();
    best.raise(least_rest(root, shallow));
    stop_.go_on();
}

/// Visit children as at any node, and tell how far the proof is after every step.
template <class Sum>
void RootSearch<Sum>::branch(Limits limits, Cost budget, Cost shallow, Bracket& best) {
    Level<Sum>& root = branching_.level_at(0);
    PriceSeeker& prices = solver_.prices;
    if (workers_) workers_->shared_root().exchange(root.bounds, best);
    while (!solver_.scan.is_stopped(root.node)) {
        prices.set_bracket(best.lower, std::min(budget, best.upper));
        prices.keep_pace();
        if (solver_.prices_settle(0, budget, best)) break;
        const Cost goal = std::min(budget, best.upper);
        // Splits are explored in order of their bound, so the root's bound rises.
        const SplitChoice choice = next_split(goal, best);
        branching_.publish(best);
        if (choice.split == none) break;
        const Cost cap = cap_at_root(choice, problem_.scale, goal,
                                     options_.tuning.search, age().subproblems);
        solver_.explore(0, choice.split, limits, cap + choice.slack, best);
    }
    best.raise(least_rest(root, shallow));
}

template class RootSearch<std::int32_t>;
template class RootSearch<std::int64_t>;

}  // namespace ostrya
