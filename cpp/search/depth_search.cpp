#include "search/depth_search.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
DepthSearch<Sum>::DepthSearch(const SearchContext& context)
    : options_(context.options),
      context_(context.with(options_)),
      stop_(context.stop),
      facts_(context.facts) {
    // Prices are for large depths.
    options_.switches.row_prices.is_on = false;
}

template <class Sum>
bool DepthSearch<Sum>::make_root(const Level<Sum>& other) {
    if (solver_) return true;
    if (stop_.is_up_before(0, other.node.nanoseconds())) return false;
    auto solver = std::make_unique<Solver<Sum>>(context_);
    if (!solver->make_root([this] { return stop_.is_up(); })) return false;
    solver->look_between(look_between_);
    solver->scan.look_between(look_in_scans_);
    solver_ = std::move(solver);
    return true;
}

template <class Sum>
bool DepthSearch<Sum>::begin(const Level<Sum>& root, const Bracket& best) {
    if (begun_ == facts_.depths.proved() + 1) return true;
    if (!make_root(root)) return false;
    start(root, best);
    return true;
}

template <class Sum>
void DepthSearch<Sum>::release_large_root() {
    if (!solver_ || solver_->branching.level_at(0).bytes() <= much_memory) return;
    solver_.reset();
    begin_again();
}

template <class Sum>
void DepthSearch<Sum>::start(const Level<Sum>& root, const Bracket& best) {
    Level<Sum>& own = solver_->branching.level_at(0);
    own.losses = root.losses;
    own.bounds.copy(root.bounds);
    own.children.clear();
    own.begin_search();
    begun_ = facts_.depths.proved() + 1;
    work_ = 0;
    find_promising(best);
}

template <class Sum>
bool DepthSearch<Sum>::scan_pairs(Cost budget, ScanEffort effort, Bracket& best) {
    PairScan<Sum>& scan = solver_->scan;
    Level<Sum>& root = solver_->branching.level_at(0);
    const BestPair found = scan.scan_pairs(root, {2, context_.problem.limits.leaves},
                                           std::min(budget, best.upper), effort);
    if (found.cost < best.upper) {
        best.lower_to(found.cost, scan.tree_of(root, found));
    }
    return !stop_.has_stopped() && !effort.is_spent();
}

template <class Sum>
bool DepthSearch<Sum>::search(std::uint32_t most_leaves, Cost budget, Bracket& best) {
    if (next_is_scan()) return scan_pairs(budget, {}, best);
    const Level<Sum>& root = solver_->branching.level_at(0);
    const Limits limits{facts_.depths.proved() + 1, most_leaves};
    const std::uint64_t before = stop_.counted.all(), earlier = work_;
    Bracket found;
    found.lower_to(best.upper, best.tree);
    bool is_done = false;
    while (!is_done && !solver_->scan.is_stopped(root.node)) {
        const Cost goal = std::min(budget, found.upper);
        // Where the splits of the best tree are the wrong ones, a depth that is soon
        // proved takes up to twice as long: they come first once that takes a while.
        const bool is_long =
            limits.depth <= 3 || work_ >= options_.tuning.deepening.before_promising;
        if (is_long && !promising_.empty()) {
            explore_promising(limits, goal, found);
        } else {
            is_done = !explore_next(limits, goal, found);
        }
        // The other source of trees may have lowered `best` meanwhile.
        if (found.upper != best.upper) {
            found.lower_to(best.upper, best.tree);
            best.lower_to(found.upper, found.tree);
            solver_->branching.publish(best);
            find_promising(best);
        }
        work_ = earlier + stop_.counted.all() - before;
    }
    return is_done;
}

/// The splits of the best tree, its root's last. Each is looked up among all splits,
/// and those far below seldom make a good root: of a large tree only the first ones.
template <class Sum>
void DepthSearch<Sum>::find_promising(const Bracket& best) {
    const SubtreePool& pool = solver_->branching.pool();
    const NodeSplits<Sum>& splits = solver_->branching.level_at(0).node.splits;
    promising_.clear();
    std::vector<std::uint32_t> trees{best.tree.index()};
    for (std::size_t at = 0; at < trees.size(); ++at) {
        if (promising_.size() == options_.tuning.deepening.most_promising) break;
        if (trees[at] == 0) continue;  // a leaf
        const SubtreePool::Parts parts = pool.at(trees[at]);
        const std::uint32_t split = splits.find(parts.split);
        if (split != none) promising_.push_back(split);
        trees.insert(trees.end(), {parts.yes, parts.no});
    }
    std::reverse(promising_.begin(), promising_.end());
}

/// Look for a better tree that begins with the most promising split.
template <class Sum>
void DepthSearch<Sum>::explore_promising(Limits limits, Cost goal, Bracket& best) {
    const Level<Sum>& root = solver_->branching.level_at(0);
    const std::uint32_t split = promising_.back();
    if (root.bounds.rest(split) < goal) {
        solver_->explore(0, split, limits, goal, best);
        // It goes on with this one after a pause.
        if (solver_->scan.is_stopped(root.node)) return;
    }
    promising_.pop_back();
}

/// Look for one that begins with the split of the least bound; false if none is left.
template <class Sum>
bool DepthSearch<Sum>::explore_next(Limits limits, Cost goal, Bracket& best) {
    Level<Sum>& root = solver_->branching.level_at(0);
    const SplitChoice choice = solver_->sharing.next_split(root, goal);
    // Unless other threads are at a split whose bound is less.
    if (root.deferred.empty()) facts_.depths.raise_next(choice.rest);
    if (choice.split == none) return false;
    solver_->explore(0, choice.split, limits, goal + choice.slack, best);
    return true;
}

template class DepthSearch<std::int32_t>;
template class DepthSearch<std::int64_t>;

}  // namespace ostrya
