#include "leaf_sets/search.hpp"

#include <algorithm>
#include <cmath>

namespace ostrya::leaf_sets {

Search::Search(LeafCache& leaves, Criterion& criterion, Cost penalty,
               const Options& options, StopSign& stop, Progress& progress)
    : leaves_(leaves),
      criterion_(criterion),
      penalty_(penalty),
      options_(options),
      stop_(stop),
      progress_(progress),
      goal_(options.upper.value_or(unreachable)),
      memory_(leaves.memory),
      queue_(memory_),
      pieces_(memory_),
      seen_(memory_) {}

Result Search::run() {
    const bool is_complete = leaves_.table.is_complete;
    unavoidable_ = is_complete ? criterion_.unavoidable() : 0;
    best_.open.push_back({LeafCache::root, none, 0});
    best_.cost = criterion_.cost(best_);
    goal_ = std::min(goal_, best_.cost);
    lower_ = std::min(unavoidable_ + penalty_, goal_);
    publish();
    const LeafSet root = best_;
    if (is_complete) {
        if (options_.switches.greedy_start.is_on) start_greedily();
        for (const auto& splits : criterion_.prepare(best_)) try_tree(splits);
        consider(root, false);
    }
    while (!queue_.empty() && !stop_.is_up()) {
        branch(pop());
        look_around();
    }
    if (queue_.empty() && !stop_.reason()) {
        lower_ = goal_;
    } else if (is_complete) {
        lower_ = std::max(lower_, lower_now());
    }
    publish();

    Result result;
    result.tree = found_tree();
    result.lower = std::min(lower_, best_.cost);
    result.upper = best_.cost;
    result.status = result.lower == result.upper ? Status::optimal
                    : lower_ >= goal_ ? Status::upper_bound
                                      : stop_.reason().value_or(Status::memory_limit);
    Statistics& told = result.statistics;
    told.seconds = stop_.seconds();
    told.subproblems = n_trees_;
    told.memo_entries = leaves_.size();
    told.memo_hits = n_repeated_;
    told.first_scans = leaves_.n_expanded();
    told.peak_memory = memory_.peak();
    told.n_groups = leaves_.table.n_groups;
    told.n_columns = leaves_.table.splits.size();
    for (const SplitColumn& column : leaves_.table.splits) {
        told.n_thresholds += column.cuts.size();
    }
    return result;
}

/// L1: nothing that grows from such a set is wanted.
bool Search::is_beaten(Cost lower) const {
    const Switch& on = options_.switches.hierarchical;
    return on.is_on && lower + on.slip >= goal_;
}

/// L8: so many leaves alone cost more than the best tree, or are not allowed.
bool Search::may_have(std::uint32_t n_leaves) const {
    if (n_leaves > options_.limits.leaves) return false;
    const Switch& on = options_.switches.leaf_count;
    return !on.is_on ||
           unavoidable_ + penalty_ * static_cast<Cost>(n_leaves) + on.slip < goal_;
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
    ++n_trees_;
    if (is_new_tree) {
        set.cost = criterion_.cost(set);
        if (set.cost == unreachable) {
            stop_.memory_is_out();  // unless it is stopped already
            push(set);
            return;
        }
        keep_if_best(set);
    }
    if (set.open.empty()) return;
    set.lower = std::max(set.lower, criterion_.lower(set));
    if (!is_beaten(set.lower)) push(std::move(set));
}

/// The leaf with most to win; a rule of the set alone.
std::size_t Search::choose_open(const LeafSet& set) const {
    std::size_t best = 0;
    const auto room = [&](std::size_t index) {
        const std::uint32_t leaf = set.open[index].leaf;
        return leaves_.at(leaf).loss - leaves_.sums(leaf).floor();
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

LeafSet Search::split(const LeafSet& set, std::size_t open, std::uint32_t index) const {
    LeafSet out = set;
    const LeafSplit& made = leaves_.split(index);
    const std::uint32_t depth = set.open[open].depth + 1;
    out.open[open] = {made.yes, index, depth};
    out.open.push_back({made.no, index, depth});
    out.splits.push_back(index);
    return out;
}

void Search::branch(LeafSet set) {
    // More may be known of its leaves, and of the best tree, than when it was queued.
    if (!settle(set) || set.open.empty()) return;
    set.lower = std::max(set.lower, criterion_.lower(set));
    if (is_beaten(set.lower)) return;
    const std::size_t open = choose_open(set);
    const std::uint32_t leaf = set.open[open].leaf;
    const auto [first, last] = leaves_.splits(leaf);
    if (!leaves_.at(leaf).is_expanded) {
        push(std::move(set));  // stopped half-way: what it could hold is still open
        return;
    }
    criterion_.learn(leaf);
    for (std::uint32_t index = first; index < last; ++index) {
        if (stop_.is_up()) {
            push(std::move(set));
            return;
        }
        consider(split(set, open, index), true);
    }
    if (fix(set, open)) consider(std::move(set), false);
}

double Search::entropy_of(const LeafSet& set) const {
    double total = 0.0;
    const auto add = [&](const Entry& entry) {
        const Sums sums = leaves_.sums(entry.leaf);
        double weight = 0.0, sum = 0.0;
        for (std::uint32_t label = 0; label < sums.layout.n_labels; ++label) {
            const auto part = static_cast<double>(sums.worst() - sums[label]);
            weight += part;
            if (part > 0) sum -= part * std::log(part);
        }
        if (weight > 0) total += sum + weight * std::log(weight);
    };
    for (const Entry& entry : set.fixed) add(entry);
    for (const Entry& entry : set.open) add(entry);
    return total;
}

double Search::priority_of(const LeafSet& set) const {
    switch (options_.policy) {
        case Policy::curiosity: {
            // The lower bound over the share of rows whose leaves are fixed.
            Weight fixed = 1;
            for (const Entry& entry : set.fixed) {
                fixed += leaves_.sums(entry.leaf).rows();
            }
            return static_cast<double>(set.lower) / static_cast<double>(fixed);
        }
        case Policy::lower_bound:
            return static_cast<double>(set.lower);
        case Policy::objective:
            return static_cast<double>(set.cost);
        case Policy::entropy:
            return entropy_of(set);
        case Policy::breadth:
            return static_cast<double>(set.size());
        default:
            return -static_cast<double>(n_pushed_);
    }
}

void Search::push(const LeafSet& set) {
    std::uint32_t* packed = pieces_.get(packed_size(set));
    pack(set, packed);
    const double priority = priority_of(set);
    queue_.push_back({priority, n_pushed_++, set.lower, set.cost, packed});
    std::push_heap(queue_.begin(), queue_.end());
}

LeafSet Search::pop() {
    std::pop_heap(queue_.begin(), queue_.end());
    const Waiting first = queue_.back();
    LeafSet set = unpack(first.packed);
    set.lower = first.lower;
    set.cost = first.cost;
    queue_.pop_back();
    pieces_.give_back(first.packed, packed_size(set));
    return set;
}

}  // namespace ostrya::leaf_sets
