#include "leaf_sets/search.hpp"

#include <algorithm>

#include "leaf_sets/first_trees.hpp"
#include "leaf_sets/report.hpp"
#include "tuning/tuning.hpp"

namespace ostrya::leaf_sets {
namespace {

/// The leaf with most to win; a rule of the set alone.
std::size_t choose_open(const LeafSet& set, const LeafCache& leaves) {
    std::size_t best = 0;
    const auto room = [&](std::size_t index) {
        const std::uint32_t leaf = set.open[index].leaf;
        return leaves.at(leaf).loss - leaves.sums(leaf).floor();
    };
    for (std::size_t index = 1; index < set.open.size(); ++index) {
        const Weight here = room(index), there = room(best);
        if (here > there ||
            (here == there && set.open[index].leaf < set.open[best].leaf)) {
            best = index;
        }
    }
    return best;
}

}  // namespace

Search::Search(LeafCache& leaves, Criterion& criterion, Cost penalty,
               const Options& options, StopSign& stop, Progress& progress)
    : leaves_(leaves),
      criterion_(criterion),
      penalty_(penalty),
      options_(options),
      stop_(stop),
      incumbent_(options.upper, leaves.memory, stop, progress),
      queue_(leaves, options.policy),
      seen_(leaves.memory) {}

Result Search::run() {
    const bool is_complete = leaves_.table.is_complete;
    if (is_complete) unavoidable_ = criterion_.unavoidable();
    LeafSet root = LeafSet::lone_leaf();
    root.cost = criterion_.cost(root);
    incumbent_.start(root, unavoidable_ + penalty_);
    if (is_complete) {
        FirstTrees first(leaves_, criterion_, options_.limits, stop_, incumbent_);
        if (options_.switches.greedy_start.is_on) first.grow_greedily();
        for (const auto& splits : criterion_.prepare(incumbent_.best())) {
            first.try_tree(splits);
        }
        consider(root, false);
    }
    while (queue_.size() > 0 && !stop_.is_up()) {
        branch(queue_.pop());
        look_around();
    }
    if (is_complete) raise_lower();
    Result result = incumbent_.result();
    result.tree = found_tree(incumbent_.best().splits, leaves_);
    result.statistics = statistics_of(leaves_, stop_);
    result.statistics.subproblems = incumbent_.n_trees;
    result.statistics.memo_entries = leaves_.size();
    result.statistics.memo_hits = n_repeated_;
    return result;
}

/// Every tree not yet ruled out is in the queue, or costs the goal or more.
void Search::raise_lower() {
    incumbent_.raise(queue_.lower(incumbent_.goal()));
}

/// Keep within the memory, and now and then say how far the proof is.
void Search::look_around() {
    if (leaves_.memory.is_exceeded()) stop_.memory_is_out();
    if (stop_.watch.seconds() < next_report_) return;
    raise_lower();
    // A long queue takes a while to look through.
    next_report_ = stop_.watch.seconds() + FixedTuning::report_interval +
                   1e-7 * static_cast<double>(queue_.size());
}

/// L1: nothing that grows from such a set is wanted.
bool Search::is_beaten(Cost lower) const {
    const Switch& on = options_.switches.hierarchical;
    return on.is_on && lower + on.slip >= incumbent_.goal();
}

/// L8: so many leaves alone cost more than the best tree, or are not allowed.
bool Search::may_have(std::uint32_t n_leaves) const {
    if (n_leaves > options_.limits.leaves) return false;
    const Switch& on = options_.switches.leaf_count;
    return !on.is_on ||
           unavoidable_ + penalty_ * static_cast<Cost>(n_leaves) + on.slip <
               incumbent_.goal();
}

/// Move an open leaf to the fixed ones; false when the set is then not wanted (L5).
bool Search::fix(LeafSet& set, std::size_t open) {
    const Entry entry = set.open[open];
    set.open.erase(set.open.begin() + static_cast<std::ptrdiff_t>(open));
    set.fixed.push_back(entry);
    if (entry.made_by == none || !options_.switches.incremental_accuracy.is_on) {
        return true;
    }
    const auto has_same_parent = [&](const Entry& e) {
        return e.made_by == entry.made_by;
    };
    const auto n = std::count_if(set.fixed.begin(), set.fixed.end(), has_same_parent);
    return n < 2 || !criterion_.is_wasteful(set, entry.made_by);
}

/// Fix the open leaves that no split can better, or that limits keep whole.
bool Search::settle(LeafSet& set) {
    const bool is_full = !may_have(set.size() + 1);
    for (std::size_t open = set.open.size(); open-- > 0;) {
        const Entry& entry = set.open[open];
        const bool stays = is_full || entry.depth >= options_.limits.depth ||
                           criterion_.is_finished(entry.leaf);
        if (stays && !fix(set, open)) return false;
    }
    return true;
}

void Search::consider(LeafSet set, bool is_new_tree) {
    if (!may_have(set.size())) return;
    if (!settle(set)) return;
    if (options_.switches.permutation.is_on) {
        // L7.
        const bool depth_counts = options_.limits.depth != Limits::unlimited;
        if (!seen_.insert(set.key(leaves_, depth_counts))) {
            ++n_repeated_;
            return;
        }
    }
    ++incumbent_.n_trees;
    if (is_new_tree) {
        set.cost = criterion_.cost(set);
        if (set.cost == unreachable) {
            stop_.memory_is_out();  // unless it is stopped already
            queue_.push(set);
            return;
        }
        incumbent_.keep_if_best(set);
    }
    if (set.open.empty()) return;
    set.lower = std::max(set.lower, criterion_.lower(set));
    if (!is_beaten(set.lower)) queue_.push(set);
}

void Search::branch(LeafSet set) {
    // More may be known of its leaves, and of the best tree, than when it was queued.
    if (!settle(set) || set.open.empty()) return;
    set.lower = std::max(set.lower, criterion_.lower(set));
    if (is_beaten(set.lower)) return;
    const std::size_t open = choose_open(set, leaves_);
    const std::uint32_t leaf = set.open[open].leaf;
    const auto [first, last] = leaves_.splits(leaf);
    if (!leaves_.at(leaf).is_expanded) {
        queue_.push(set);  // stopped half-way: what it could hold is still open
        return;
    }
    criterion_.learn(leaf);
    for (std::uint32_t index = first; index < last; ++index) {
        if (stop_.is_up()) {
            queue_.push(set);
            return;
        }
        consider(set.split_at(open, index, leaves_), true);
    }
    if (fix(set, open)) consider(std::move(set), false);
}

}  // namespace ostrya::leaf_sets
