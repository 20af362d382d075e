#include "search/deepening.hpp"

#include <algorithm>

#include "search/trial_tree.hpp"

namespace ostrya {
namespace {

/// Work of a search before its first turn, some hundredths of a second, and some tenths
/// where columns are yes/no questions: one that is over sooner has no need of turns.
/// Depth 3 comes before that if the proof is far, once the search has taken half as
/// long as it will, roughly: so many parts of three levels of splits.
constexpr std::uint64_t first_turn = std::uint64_t{1} << 23;
constexpr std::uint64_t first_turn_of_questions = std::uint64_t{1} << 28;
constexpr std::uint64_t parts_of_depth_three = 16;
constexpr std::uint64_t test_turn = 16;
/// Cells that the scan of depth two may look at beforehand, some tenths of a second: a
/// tree of many leaves, where leaves are free, is worth more than the best of four.
constexpr std::int64_t most_cells = 800'000'000;
/// How many times the work of a search whose proof is far depths 3 and 4 may take. The
/// first turn is shorter, and those of an early search: until prices were sought, its
/// proof may only seem far. Where leaves cost nothing there are no prices.
constexpr std::uint64_t far_share_of_three = 64;
constexpr std::uint64_t far_share_of_four = 16;
constexpr std::uint64_t first_share = 4;
constexpr std::uint64_t early = std::uint64_t{1} << 25;
/// A proof that seems near may still take long. After some seconds, prices included,
/// trees of depth 4 may take so many times the work of all the rest, unless the bound
/// has risen by such a part since the last turn.
constexpr std::uint64_t late = std::uint64_t{1} << 32;
constexpr std::uint64_t late_share = 4;
constexpr Cost least_rise = 50;
/// A tree is grown by trial after the first turn, when the search has taken half as
/// long as that will take; where columns are yes/no questions, so that there is no turn
/// for long and the proof may be near, twice as long, some hundredths of a second.
constexpr std::uint64_t first_trial_of_questions = std::uint64_t{1} << 23;
constexpr std::uint64_t trial_share_of_questions = 2;
/// It may take so many times the work of the search.
constexpr std::uint64_t most_of_trial = 4;
/// Work at depth 4 or more, some tenths of a second, before the splits of the best tree
/// come first: where they are the wrong ones, a depth that is soon proved takes up to
/// twice as long.
constexpr std::uint64_t first_promising = std::uint64_t{1} << 29;
/// Trees this shallow are soon searched.
constexpr std::uint32_t shallow = 4;
/// Beyond so many times the effort asked for, depth 2 has to do.
constexpr std::uint64_t most_efforts = 2;

}  // namespace

template <class Sum>
Deepening<Sum>::Deepening(const Problem& problem, const Options& options,
                          StopSign& stop, Progress& progress, MemoryBudget& memory,
                          Facts& facts, Statistics& statistics)
    : problem_(problem),
      options_(options),
      stop_(stop),
      progress_(progress),
      memory_(memory),
      facts_(facts),
      statistics_(statistics),
      next_turn_(options.price_start                   ? test_turn
                 : PriceBounds::has_many_cuts(problem) ? first_turn
                                                       : first_turn_of_questions) {
    // Prices are for large depths.
    options_.switches.row_prices.is_on = false;
}

/// What the next depth may still take, in proportion to the work of the search so far.
///
/// Where the proof for all trees is far, depths 3 and 4 come before it, and deeper ones
/// beside it. Else they have a small share.
template <class Sum>
std::uint64_t Deepening<Sum>::work_left(const Bracket& best) const {
    const std::uint32_t depth = facts_.depths.proved + 1;
    const bool has_many_cuts = PriceBounds::has_many_cuts(problem_);
    const std::uint64_t of_search = stop_.work_of_search();
    const bool is_far = proof_is_far(best);
    if (!may_take_turns(depth, is_far)) return 0;
    std::uint64_t most = of_search / 16;
    if (is_far && depth <= 4) {
        const bool is_early =
            problem_.scale.penalty > 0 && (!had_turn_ || of_search < early);
        most = of_search * (is_early     ? first_share
                            : depth <= 3 ? far_share_of_three
                                         : far_share_of_four);
    } else if (depth <= 3 || (depth <= 4 && begun_ == depth && !promising_.empty())) {
        // Soon over on most tables, so it should be over soon.
        most = of_search * first_share;
    } else if (is_stuck(best)) {
        most = (stop_.work() - own_work_) * late_share;
    } else if ((is_far && has_many_cuts) || options_.effort) {
        most = of_search;
    }
    if (options_.effort) most = std::min(most, own_work_ + effort_left());
    return most > own_work_ ? most - own_work_ : 0;
}

/// Whether the search is long enough for turns, or for depths 2 and 3 alone.
template <class Sum>
bool Deepening<Sum>::may_take_turns(std::uint32_t depth, bool is_far) const {
    return options_.price_start || PriceBounds::has_many_cuts(problem_) ||
           stop_.work_of_search() >= first_turn_of_questions || (depth <= 3 && is_far);
}

template <class Sum>
bool Deepening<Sum>::proof_is_far(const Bracket& best) const {
    const Cost base = problem_.scale.factor * problem_.base;
    return 2 * (best.lower + base) < best.upper + base;
}

/// Whether the proof does not get on, and there are small depths to prove meanwhile.
template <class Sum>
bool Deepening<Sum>::is_stuck(const Bracket& best) const {
    const bool rises = best.lower - last_lower_ > last_lower_ / least_rise;
    return PriceBounds::has_many_cuts(problem_) && facts_.depths.proved < shallow &&
           stop_.work() >= late && !rises;
}

/// What is left of the effort asked for; there is more of it until depth 3 is proved.
template <class Sum>
std::uint64_t Deepening<Sum>::effort_left() const {
    const std::uint64_t most =
        *options_.effort * (facts_.depths.proved < 3 ? most_efforts : 1);
    return most > stop_.work() ? most - stop_.work() : 0;
}

template <class Sum>
void Deepening<Sum>::scan_depth_two(const Level<Sum>& root, Cost budget,
                                    Bracket& best) {
    if (!next_is_scan() || !memory_.allows(memory_.used()) || !make_root()) return;
    start(root, best);
    if (scan_pairs(budget, {most_cells}, best)) facts_.depths.proved = 2;
    solver_->branching().publish(best);
}

/// Scan pairs for the best tree of depth two; returns whether all were seen. The next
/// scan passes over what this one has seen.
template <class Sum>
bool Deepening<Sum>::scan_pairs(Cost budget, ScanEffort effort, Bracket& best) {
    PairScan<Sum>& scan = solver_->scan();
    Level<Sum>& root = solver_->branching().level_at(0);
    const BestPair found = scan.scan_pairs(root, {2, problem_.limits.leaves},
                                           std::min(budget, best.upper), effort);
    if (found.cost < best.upper) {
        best.lower_to(found.cost, scan.tree_of(root, found));
    }
    return !stop_.has_stopped() && !effort.is_spent();
}

template <class Sum>
void Deepening<Sum>::search_below(Limits limits, const Node<Sum>& root) {
    limits_ = limits;
    // Where leaves are free, the first tree is as large as any.
    const bool leaves_cost =
        problem_.scale.penalty > 0 || limits.leaves != Limits::unlimited;
    if (!leaves_cost || limits.depth <= shallow) return;
    const bool has_many_cuts = PriceBounds::has_many_cuts(problem_);
    if (!has_many_cuts && !options_.price_start) {
        const std::uint64_t width = root.splits.width;
        const std::uint64_t part = root.work() * width * width / parts_of_depth_three;
        next_turn_ = std::min(next_turn_, std::max(early, part));
    }
    if (limits.reachable_depth() <= shallow) return;
    const std::uint64_t trial = TrialTree<Sum>::trial_work(root, problem_);
    if (options_.price_start) {
        next_trial_ = test_turn;
    } else if (has_many_cuts) {
        next_trial_ = options_.effort ? next_turn_ : std::max(next_turn_, trial / 2);
    } else {
        next_trial_ =
            std::max(first_trial_of_questions, trial_share_of_questions * trial);
    }
}

template <class Sum>
void Deepening<Sum>::keep_pace(const Level<Sum>& root, Cost budget, Bracket& best) {
    const bool is_due =
        is_on() && stop_.work_of_search() >= std::min(next_turn_, next_trial_);
    if (is_due && !stop_.has_stopped()) {
        const Cost before = best.upper;
        take_turn(root, budget, best);
        if (best.upper < before) stop_.pause();
    }
    if (options_.effort && effort_left() == 0) stop_.effort_is_spent();
}

template <class Sum>
void Deepening<Sum>::take_turn(const Level<Sum>& root, Cost budget, Bracket& best) {
    const std::uint64_t of_search = stop_.work_of_search();
    const bool is_far = proof_is_far(best);
    const bool tries = of_search >= next_trial_, deepens = of_search >= next_turn_;
    if (tries) next_trial_ = never;
    if (deepens) {
        const bool is_soon = is_far || stop_.work() >= late;
        next_turn_ = of_search + (is_soon ? of_search / 4 : of_search);
    }
    // The search needs the rest of the memory itself.
    if (!memory_.allows(memory_.used())) return;
    // A turn may take all that is left of a limited effort.
    if (tries && options_.effort) grow_by_trial(best);
    if (deepens) {
        go_deeper(root, budget, best);
        had_turn_ = true;
        last_lower_ = best.lower;
    }
    if (tries && !options_.effort) grow_by_trial(best);
}

template <class Sum>
void Deepening<Sum>::grow_by_trial(Bracket& best) {
    const std::uint64_t before = stop_.work();
    std::uint64_t most = most_of_trial * stop_.work_of_search();
    if (options_.effort) most = std::min(effort_left(), *options_.effort / 2);
    stop_.pause_after(most);
    if (make_root()) {
        TrialTree<Sum> trial(problem_, *solver_, stop_, memory_);
        trial.grow_by_trial(limits_, best);
        solver_->branching().publish(best);
    }
    stop_.go_on();
    stop_.set_aside(stop_.work() - before);
}

template <class Sum>
void Deepening<Sum>::go_deeper(const Level<Sum>& root, Cost budget, Bracket& best) {
    while (is_on()) {
        const std::uint64_t left = work_left(best);
        if (left == 0) return;
        const std::uint64_t before = stop_.work();
        stop_.pause_after(left);
        const std::uint32_t depth = facts_.depths.proved + 1;
        if (begun_ != depth && make_root()) start(root, best);
        const bool is_done = begun_ == depth && search_depth(budget, best);
        stop_.go_on();
        const std::uint64_t took = stop_.work() - before;
        own_work_ += took;
        work_at_depth_ += took;
        stop_.set_aside(took);
        if (!is_done) return;
        ++facts_.depths.proved;
    }
}

/// A root of its own, since the other one is being parted; false if stopped.
template <class Sum>
bool Deepening<Sum>::make_root() {
    if (solver_) return true;
    auto solver = std::make_unique<Solver<Sum>>(problem_, options_, stop_, progress_,
                                                memory_, facts_, statistics_);
    if (!solver->make_root([this] { return stop_.is_up(); })) return false;
    solver->look_between(look_between_);
    solver_ = std::move(solver);
    return true;
}

/// Begin the next depth with what is known of all trees.
template <class Sum>
void Deepening<Sum>::start(const Level<Sum>& root, const Bracket& best) {
    Level<Sum>& own = solver_->branching().level_at(0);
    own.losses = root.losses;
    own.bounds.copy(root.bounds);
    own.children.clear();
    own.begin_search();
    facts_.depths.lower = 0;
    begun_ = facts_.depths.proved + 1;
    work_at_depth_ = 0;
    find_promising(best);
}

/// Search trees of the next depth; returns whether the best of them is known.
template <class Sum>
bool Deepening<Sum>::search_depth(Cost budget, Bracket& best) {
    if (next_is_scan()) return scan_pairs(budget, {}, best);
    Level<Sum>& root = solver_->branching().level_at(0);
    const Limits limits{facts_.depths.proved + 1, limits_.leaves};
    const std::uint64_t before = stop_.work();
    const auto is_slow = [&] {
        return limits.depth <= 3 || options_.price_start ||
               work_at_depth_ + stop_.work() - before >= first_promising;
    };
    Bracket found;
    found.lower_to(best.upper, best.tree);
    while (!solver_->scan().is_stopped(root.node)) {
        const Cost goal = std::min(budget, found.upper);
        if (!promising_.empty() && is_slow()) {
            search_promising(limits, goal, found);
        } else {
            const SplitChoice choice = solver_->sharing().next_split(root, goal);
            // Unless other threads are at a split whose bound is less.
            if (root.deferred.empty()) {
                facts_.depths.lower = std::max(facts_.depths.lower, choice.rest);
            }
            if (choice.split == none) return true;
            solver_->explore(0, choice.split, limits, goal + choice.slack, found);
        }
        if (found.upper < best.upper) {
            best.lower_to(found.upper, found.tree);
            solver_->branching().publish(best);
            find_promising(best);
        }
    }
    return false;
}

/// The splits of the best tree, from its root on: the best tree of the next depth often
/// begins with one of them, to which bounds would come late.
template <class Sum>
void Deepening<Sum>::find_promising(const Bracket& best) {
    const SubtreePool& pool = solver_->branching().pool();
    const auto& splits = solver_->branching().level_at(0).node.splits;
    promising_.clear();
    std::vector<std::uint32_t> trees{best.tree.index()};
    for (std::size_t at = 0; at < trees.size(); ++at) {
        if (trees[at] == 0) continue;  // a leaf
        const SubtreePool::Parts parts = pool.at(trees[at]);
        const std::uint32_t split = splits.find(parts.split);
        if (split != none) promising_.push_back(split);
        trees.insert(trees.end(), {parts.yes, parts.no});
    }
    std::reverse(promising_.begin(), promising_.end());
}

/// Search the trees that begin with the last promising split.
template <class Sum>
void Deepening<Sum>::search_promising(Limits limits, Cost goal, Bracket& best) {
    const Level<Sum>& root = solver_->branching().level_at(0);
    const std::uint32_t split = promising_.back();
    if (root.bounds.rest(split) < goal) {
        solver_->explore(0, split, limits, goal, best);
        // It goes on with this one after a pause.
        if (solver_->scan().is_stopped(root.node)) return;
    }
    promising_.pop_back();
}

template class Deepening<std::int32_t>;
template class Deepening<std::int64_t>;

}  // namespace ostrya
