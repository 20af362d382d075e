#include "rashomon/enumeration.hpp"

namespace ostrya::rashomon {

template <class Sum, class Count>
Enumeration<Sum, Count>::Enumeration(const Problem& problem, const Request& request,
                                     StopSign& stop, MemoryBudget& memory)
    : problem_(problem),
      request_(request),
      memory_(memory),
      costs_(problem, stop, memory),
      spare_(memory),
      yes_two_(memory),
      no_two_(memory),
      yes_(memory),
      no_(memory) {}

template <class Sum, class Count>
CountSums<Count>& Enumeration<Sum, Count>::sums_of(std::uint32_t at) {
    while (sums_.size() <= at) sums_.emplace_back(memory_);
    return sums_[at];
}

template <class Sum, class Count>
bool Enumeration<Sum, Count>::count_to(Cost most) {
    const Cost base = problem_.scale.factor * problem_.base;
    most = std::min(most, request_.most) - base;
    try {
        if (!is_built_) costs_.scanner.build_root(costs_.level(0));
        is_built_ = true;
        const std::uint32_t number = costs_.records.find(
            {costs_.level(0).node.rows.hash, Limits::unlimited - 1});
        Record<Count>& record = costs_.records[number];
        record.n_rows = costs_.level(0).node.rows.n;
        record.label = costs_.level(0).label;
        count_level(0, problem_.limits.depth, most, number);
    } catch (const Stopped&) {
        return false;
    }
    complete_to_ = most + base;
    return true;
}

/// Count the trees of a child within a scope; returns its record.
template <class Sum, class Count>
std::uint32_t Enumeration<Sum, Count>::count_child(const Child& child,
                                                   std::uint32_t depth, Cost most) {
    const Level<Sum>& above = costs_.level(child.level);
    const std::uint32_t number = costs_.records.find(
        costs_.place_of(above.partition.hash(child.yes), depth, most));
    {
        Record<Count>& record = costs_.records[number];
        if (record.scope >= most) return number;
        const Weight leaf = above.leaf(child.split, child.yes);
        record.label = above.leaf_label(child.split, child.yes);
        if (record.lower > most) {
            record.scope = most;
            return number;
        }
        if (costs_.reachable_depth(depth, most) == 0) {
            record.shape = Shape::leaf;
            record.buckets.clear();
            if (problem_.scale.cost(leaf, 1) <= most) {
                record.buckets.push_back({leaf, 1, Count{1}});
            }
            record.scope = most;
            return number;
        }
    }
    Level<Sum>& below = costs_.build(child);
    costs_.records[number].n_rows = below.node.rows.n;
    count_level(child.level + 1, depth, most, number);
    return number;
}

template <class Sum, class Count>
void Enumeration<Sum, Count>::count_level(std::uint32_t at, std::uint32_t depth,
                                          Cost most, std::uint32_t number) {
    Level<Sum>& here = costs_.level(at);
    CountSums<Count>& sums = sums_of(at);
    sums.start(scope(most));
    if (problem_.scale.cost(here.leaf_loss, 1) <= most)
        sums.add(1, here.leaf_loss, Count{1});
    const std::uint32_t reach = costs_.reachable_depth(depth, most);
    Shape shape = Shape::leaf;
    Vector<Branch> branches(memory_);
    if (reach > 0) {
        costs_.scanner.scan_singles(here);
        costs_.scanner.name_questions(here);
    }
    if (reach == 1) {
        count_singles(here, most, sums);
    } else if (reach == 2) {
        count_pairs(here, most, sums);
    } else if (reach > 2) {
        count_branches(at, depth, most, sums, branches);
        shape = Shape::branches;
    }
    if (reach == 1 || reach == 2) shape = Shape::pairs;
    Record<Count>& record = costs_.records[number];
    record.shape = shape;
    record.n_levels = static_cast<std::uint8_t>(std::min<std::uint32_t>(reach, 2));
    record.branches = std::move(branches);
    finish(number, most, sums);
}

template <class Sum, class Count>
void Enumeration<Sum, Count>::finish(std::uint32_t number, Cost most,
                                     CountSums<Count>& sums) {
    Record<Count>& record = costs_.records[number];
    sums.finish(record.buckets);
    record.scope = most;
    Cost least = most + 1;
    for (const Bucket<Count>& bucket : record.buckets) {
        least = std::min(least, problem_.scale.cost(bucket.loss, bucket.leaves));
    }
    // Without sibling leaves of the same label a tree of least cost may be left out.
    const bool counts_all =
        request_.allows_equal_siblings && problem_.limits.leaves == Limits::unlimited;
    if (counts_all) {
        record.lower = std::max(record.lower, least);
        record.is_exact |= least <= most;
    }
}

template <class Sum, class Count>
void Enumeration<Sum, Count>::count_singles(Level<Sum>& level, Cost most,
                                            CountSums<Count>& sums) {
    const Weight largest = scope(most).largest_loss(2);
    const NodeSplits<Sum>& splits = level.node.splits;
    for (std::uint32_t split = 0; split < splits.width; ++split) {
        if (!splits.is_split[split] || !may_join(level, split)) continue;
        const Weight loss = Weight{level.yes_leaf[split]} + level.no_leaf[split];
        if (loss <= largest) sums.add(2, loss, Count{level.n_cuts[split]});
    }
}

template <class Sum, class Count>
void Enumeration<Sum, Count>::count_pairs(Level<Sum>& level, Cost most,
                                          CountSums<Count>& sums) {
    const Scope wanted = scope(most);
    const Weight largest_of_three = wanted.largest_loss(3),
                 largest_of_four = wanted.largest_loss(4);
    const std::uint32_t width = level.node.splits.width;
    yes_two_.resize(width);
    no_two_.resize(width);
    costs_.bound_as_leaves(level);
    const auto is_open = [&](std::uint32_t split) {
        return level.node.splits.is_split[split] &&
               level.yes_lower[split] + level.no_lower[split] <= most;
    };
    costs_.scanner.for_each_first(level, is_open, [&](std::uint32_t split) {
        costs_.scanner.kernels().two_leaves(costs_.scanner.row(level, split),
                                            request_.allows_equal_siblings,
                                            yes_two_.data(), no_two_.data());
        Sum least_yes = unreachable_loss<Sum>, least_no = least_yes;
        for (std::uint32_t second = 0; second < width; ++second) {
            least_yes = std::min(least_yes, yes_two_[second]);
            least_no = std::min(least_no, no_two_[second]);
        }
        const Weight yes_leaf = level.yes_leaf[split], no_leaf = level.no_leaf[split];
        const auto shallow = [&](Weight one, Weight two) {
            return two < unreachable_loss<Sum> ? std::min(problem_.scale.cost(one, 1),
                                                          problem_.scale.cost(two, 2))
                                               : problem_.scale.cost(one, 1);
        };
        costs_.raise(level, split, true, shallow(yes_leaf, least_yes));
        costs_.raise(level, split, false, shallow(no_leaf, least_no));
        if (!is_open(split)) return;
        const Weight yes_most =
            std::max(largest_of_three - no_leaf, largest_of_four - least_no);
        const Weight no_most =
            std::max(largest_of_three - yes_leaf, largest_of_four - least_yes);
        list_small_trees(yes_leaf, yes_two_.data(), width, yes_most, level.n_cuts,
                         yes_);
        list_small_trees(no_leaf, no_two_.data(), width, no_most, level.n_cuts, no_);
        sums.add_pairs(yes_.data(), yes_.data() + yes_.size(), no_.data(),
                       no_.data() + no_.size(), level.n_cuts[split],
                       may_join(level, split));
    });
}

template <class Sum, class Count>
void Enumeration<Sum, Count>::count_branches(std::uint32_t at, std::uint32_t depth,
                                             Cost most, CountSums<Count>& sums,
                                             Vector<Branch>& branches) {
    Level<Sum>& here = costs_.level(at);
    const NodeSplits<Sum>& splits = here.node.splits;
    costs_.bound_as_leaves(here);
    costs_.bound_children(here, depth, [&](std::uint32_t) { return most + 1; });
    // Cuts of a column by halves; what is proved of one often settles its neighbours.
    Vector<std::uint32_t> cuts(memory_);
    for (std::uint32_t first = 0; first < splits.width; ++first) {
        if (!splits.is_split[first] || splits.previous[first] != none) continue;
        cuts.clear();
        for (std::uint32_t cut = first; cut != none; cut = splits.next[cut]) {
            cuts.push_back(cut);
        }
        const auto n_cuts = static_cast<std::uint32_t>(cuts.size());
        for_each_by_halves(
            0, n_cuts,
            [&](std::uint32_t middle, std::uint32_t begin, std::uint32_t end) {
                const std::uint32_t split = cuts[middle];
                if (here.yes_lower[split] + here.no_lower[split] > most) return;
                const auto apart = [&](std::uint32_t other) {
                    return std::abs(here.potential[split] -
                                    here.potential[cuts[other]]);
                };
                const Weight half = std::max(apart(begin + (middle - begin) / 2),
                                             apart(middle + (end - middle) / 2));
                count_branch(at, split, depth, most, problem_.scale.factor * half, sums,
                             branches);
            });
    }
    std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) {
        return a.column != b.column ? a.column < b.column : a.first_cut < b.first_cut;
    });
}

/// Count the trees that begin with a split. The least costs of its children are looked
/// for in `more` than the scope: what they are beyond it bounds the cuts beside this
/// one.
template <class Sum, class Count>
void Enumeration<Sum, Count>::count_branch(std::uint32_t at, std::uint32_t split,
                                           std::uint32_t depth, Cost most, Cost more,
                                           CountSums<Count>& sums,
                                           Vector<Branch>& branches) {
    Level<Sum>& here = costs_.level(at);
    here.partition.split(here.node, split);
    const std::uint32_t below = depth == Limits::unlimited ? depth : depth - 1;
    const bool first = here.yes_leaf[split] >= here.no_leaf[split];
    const auto lower = [&](bool yes) {
        return yes ? here.yes_lower[split] : here.no_lower[split];
    };
    // Children whose trees end two levels below are counted about as fast as bounded.
    const bool is_shallow = costs_.reachable_depth(below, most - lower(first)) <= 2 &&
                            costs_.reachable_depth(below, most - lower(!first)) <= 2;
    const bool counts_at_once =
        is_shallow && (more == 0 || costs_.shallow_cost(here, split) <= most);
    if (!counts_at_once) {
        for (const bool yes : {first, !first}) {
            const Cost found =
                costs_.least({at, split, yes}, below, most + more - lower(!yes));
            costs_.raise(here, split, yes, found);
            if (found + lower(!yes) > most + more) return;
        }
        if (lower(true) + lower(false) > most) return;
    }
    std::uint32_t record[2] = {0, 0};  // of no and yes
    for (const bool yes : {first, !first}) {
        record[yes] = count_child({at, split, yes}, below, most - lower(!yes));
        const Record<Count>& child = costs_.records[record[yes]];
        costs_.raise(here, split, yes, child.lower);
        if (child.buckets.empty()) return;
    }
    const Record<Count>&yes = costs_.records[record[1]],
          &no = costs_.records[record[0]];
    sums.add_pairs(yes.buckets.data(), yes.buckets.data() + yes.buckets.size(),
                   no.buckets.data(), no.buckets.data() + no.buckets.size(),
                   here.n_cuts[split], may_join(here, split));
    branches.push_back({here.node.splits.names[split].column, here.first_cut[split],
                        here.n_cuts[split], record[1], record[0]});
}

template class Enumeration<std::int32_t, std::uint64_t>;
template class Enumeration<std::int32_t, Wide>;
template class Enumeration<std::int32_t, Natural>;
template class Enumeration<std::int64_t, std::uint64_t>;
template class Enumeration<std::int64_t, Wide>;
template class Enumeration<std::int64_t, Natural>;

}  // namespace ostrya::rashomon
