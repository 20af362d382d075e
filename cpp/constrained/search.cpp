#include "constrained/search.hpp"

#include <algorithm>
#include <limits>

#include "rashomon/questions.hpp"
#include "search/narrow_sums.hpp"

namespace ostrya::constrained {
namespace {

using rashomon::Stopped;

constexpr std::uint32_t unlimited = ostrya::Limits::unlimited;

std::uint32_t one_less(std::uint32_t limit) {
    return limit == unlimited ? unlimited : limit - 1;
}

bool allows(const Interactions& interactions, std::uint32_t state,
            const Problem& problem, std::uint32_t column) {
    return interactions.allows(state, problem.splits[column].feature);
}

}  // namespace

bool allows_label(const Demands& demands, std::uint32_t label) {
    return std::all_of(demands.begin(), demands.end(),
                       [&](std::uint32_t demand) { return (demand & 1) == label; });
}

std::uint32_t Points::demand(Point point, std::uint32_t label) {
    const auto next = static_cast<std::uint32_t>(points_.size());
    const auto [at, is_new] = numbers_.emplace(point, next);
    if (is_new) points_.push_back(std::move(point));
    return 2 * at->second + label;
}

Demands Points::beside(const Demands& demands, std::uint32_t column, std::uint32_t cut,
                       bool yes) const {
    Demands out;
    for (const std::uint32_t demand : demands) {
        if ((of(demand)[column] <= cut) == yes) out.push_back(demand);
    }
    return out;
}

template <class Sum>
Search<Sum>::Search(const Problem& problem, const Constraints& constraints,
                    StopSign& stop, Progress& progress, MemoryBudget& memory)
    : problem_(problem),
      stop_(stop),
      progress_(progress),
      memory_(memory),
      directions_(constraints.directions),
      interactions_(constraints.groups,
                    static_cast<std::uint32_t>(problem.values.size())),
      costs_(problem, stop, memory),
      trees_(memory),
      known_(Counted<Entry>(memory)) {
    for (const SplitColumn& column : problem.splits) {
        box_.push_back({0, column.n_ranks() - 1});
    }
    for (std::uint32_t column = 0; column < problem.splits.size(); ++column) {
        has_directions_ |= direction(column) != 0;
    }
    assert(!has_directions_ || problem.layout.n_labels == 2);
}

template <class Sum>
Outcome Search<Sum>::run(Cost lower, std::uint32_t most_depth) {
    const Cost base = problem_.scale.factor * problem_.base;
    lower_ = std::max(lower - base, problem_.scale.penalty);
    best_ = {unreachable, 0};
    try {
        Level& root = costs_.level(0);
        costs_.scanner.build_root(root);
        Found leaf{unreachable, 0};
        set_leaf(root, {}, leaf);
        note(leaf);
        const Limits whole{problem_.limits.depth, problem_.limits.leaves,
                           Interactions::start};
        // Trees of few levels take little time, and leave less to search for.
        const Cost penalty = problem_.scale.penalty;
        for (std::uint32_t depth = 1; lower_ < best_.cost; ++depth) {
            const Cost leaves = penalty > 0 ? (best_.cost - 1) / penalty : unlimited;
            if (depth >= whole.depth || depth >= leaves - 1 || depth > most_depth) {
                break;
            }
            Cost lower = lower_;
            solve_rounds({depth, whole.leaves, whole.state}, lower);
            proved_depth_ = depth;
        }
        solve_rounds(whole, lower_);
    } catch (const Stopped&) {
    } catch (const std::bad_alloc&) {
        stop_.memory_is_out();
    }
    lower_ = std::min(lower_, best_.cost);
    return outcome();
}

template <class Sum>
void Search<Sum>::note(const Found& found) {
    if (found.cost < best_.cost) best_ = found;
    const Cost base = problem_.scale.factor * problem_.base;
    TracePoint point;
    point.seconds = stop_.watch.seconds();
    point.lower = std::min(lower_, best_.cost) + base;
    point.upper = best_.cost + base;
    point.subproblems = known_.size();
    point.memory = memory_.used();
    point.proved_depth = proved_depth_;
    point.leaves = trees_.n_leaves(best_.tree);
    progress_.publish(point);
}

/// Raise the lower bound of trees within these limits to the cost of the best tree.
/// Budgets grow from the bound: one far above the optimum admits much more than the
/// optimum needs.
template <class Sum>
void Search<Sum>::solve_rounds(const Limits& limits, Cost& lower) {
    Cost step = std::max<Cost>((best_.cost - lower) / 16, 1);
    while (lower < best_.cost) {
        const Cost budget = std::min(best_.cost - 1, lower + step);
        lower = std::max(lower, solve_root(limits, budget).cost);
        step *= 2;
        note(best_);
    }
}

template <class Sum>
typename Search<Sum>::Found Search<Sum>::solve_root(const Limits& limits, Cost budget) {
    const Found found = solve(0, limits, {}, budget);
    if (found.cost <= budget) note(found);
    return found;
}

/// The label of least loss that the demands allow, if any does.
template <class Sum>
void Search<Sum>::set_leaf(const Level& level, const Demands& demands, Found& best) {
    Weight loss = level.leaf_loss;
    std::uint32_t label = level.label;
    if (!demands.empty() && !allows_label(demands, label)) {
        label = 1 - label;
        if (!allows_label(demands, label)) return;
        const Sum* total = level.node.rows.total.data();
        loss = costs_.scanner.reader().potential(total, 1) - total[label];
    }
    Node leaf;
    leaf.label = label;
    best = {cost(loss, 1), trees_.add(leaf)};
}

template <class Sum>
typename Search<Sum>::Found Search<Sum>::solve_child(const Child& child,
                                                     const Limits& limits,
                                                     const Demands& demands,
                                                     Cost budget) {
    const Level& above = costs_.level(child.level);
    Subproblem key{above.partition.hash(child.yes), limits.depth, limits.leaves,
                   limits.state, demands};
    if (const auto at = known_.find(key); at != known_.end()) {
        const Known& known = at->second;
        if (known.is_exact || known.lower > budget) {
            ++n_hits_;
            return {known.lower, known.tree};
        }
    }
    costs_.build(child);
    const Found found = solve(child.level + 1, limits, demands, budget);
    Known& known = known_[std::move(key)];
    known.lower = std::max(known.lower, found.cost);
    if (found.cost <= budget) {
        known.is_exact = true;
        known.tree = found.tree;
    }
    return {known.lower, known.tree};
}

/// Branch and bound at a level that is built.
template <class Sum>
typename Search<Sum>::Found Search<Sum>::solve(std::uint32_t at, const Limits& limits,
                                               const Demands& demands, Cost budget) {
    Level& here = costs_.level(at);
    Found best{unreachable, 0};
    set_leaf(here, demands, best);
    const auto goal = [&] { return std::min(best.cost, budget + 1); };
    const auto result = [&] {
        return best.cost <= budget ? best : Found{budget + 1, 0};
    };
    const Cost penalty = problem_.scale.penalty;
    const auto reach = [&] {
        Cost leaves = limits.leaves;
        if (penalty > 0) leaves = std::min(leaves, (goal() - 1) / penalty);
        return std::min<Cost>(limits.depth, leaves - 1);
    };
    if (reach() <= 0) return result();
    costs_.scanner.scan_singles(here);
    if (!demands.empty()) costs_.scanner.name_questions(here);
    ask_once(at, limits, demands, best);
    if (reach() <= 1) return result();
    costs_.bound_as_leaves(here);
    bound_children(here, limits, goal());
    here.order.clear();
    const auto lower = [&](std::uint32_t split) {
        return here.yes_lower[split] + here.no_lower[split];
    };
    for (std::uint32_t split = 0; split < here.node.splits.width; ++split) {
        if (here.node.splits.is_split[split] && lower(split) < goal() &&
            allows(interactions_, limits.state, problem_,
                   here.node.splits.names[split].column)) {
            here.order.push_back(split);
        }
    }
    std::sort(here.order.begin(), here.order.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                  return lower(a) != lower(b) ? lower(a) < lower(b) : a < b;
              });
    // Without constraints below, the least cost of all trees is a bound worth finding.
    const bool bounds_by_all = has_directions_ && interactions_.are_free();
    std::vector<std::uint32_t> cuts;
    for (std::size_t index = 0; index < here.order.size(); ++index) {
        const std::uint32_t split = here.order[index];
        if (lower(split) >= goal()) continue;
        here.partition.split(here.node, split);
        const std::uint32_t column = here.node.splits.names[split].column;
        const std::uint32_t depth = one_less(limits.depth);
        const bool first = here.yes_leaf[split] >= here.no_leaf[split];
        if (bounds_by_all && depth > 1) {
            for (const bool yes : {first, !first}) {
                const Cost other = yes ? here.no_lower[split] : here.yes_lower[split];
                if (here.yes_lower[split] + here.no_lower[split] >= goal()) break;
                const Cost found =
                    costs_.least({at, split, yes}, depth, goal() - 1 - other);
                costs_.raise(here, split, yes, found);
            }
            if (lower(split) >= goal()) continue;
        }
        const std::uint32_t state =
            interactions_.below(limits.state, problem_.splits[column].feature);
        list_cuts(here, split, demands, cuts);
        for (const std::uint32_t cut : cuts) {
            Join pair{at, split, cut, {}, {}};
            for (const bool yes : {false, true}) {
                pair.demands[yes] = points_.beside(demands, column, cut, yes);
            }
            const std::uint32_t ways = limits.leaves == unlimited ? 1 : limits.leaves;
            for (std::uint32_t leaves = 1; leaves == 1 || leaves < ways; ++leaves) {
                const bool is_free = limits.leaves == unlimited;
                pair.limits[1] = {depth, is_free ? unlimited : leaves, state};
                pair.limits[0] = {depth, is_free ? unlimited : limits.leaves - leaves,
                                  state};
                const Found found = join(pair, goal() - 1);
                if (found.cost < goal()) {
                    best = found;
                    if (at == 0) note(best);
                }
            }
        }
    }
    return result();
}

/// Trees of one question.
template <class Sum>
void Search<Sum>::ask_once(std::uint32_t at, const Limits& limits,
                           const Demands& demands, Found& best) {
    const Level& here = costs_.level(at);
    const NodeSplits<Sum>& splits = here.node.splits;
    const SumReader<Sum>& reader = costs_.scanner.reader();
    std::vector<std::uint32_t> cuts;
    for (std::uint32_t split = 0; split < splits.width; ++split) {
        const std::uint32_t column =
            splits.is_split[split] ? splits.names[split].column : 0;
        if (!splits.is_split[split] ||
            !allows(interactions_, limits.state, problem_, column))
            continue;
        const Weight least = Weight{here.yes_leaf[split]} + here.no_leaf[split];
        if (cost(least, 2) >= best.cost) continue;
        const auto keep = [&](std::uint32_t cut, Weight loss, std::uint32_t yes,
                              std::uint32_t no) {
            if (cost(loss, 2) >= best.cost) return;
            Node leaf, root;
            root.column = static_cast<std::int32_t>(column);
            root.cut = cut;
            leaf.label = yes;
            root.yes = trees_.add(leaf);
            leaf.label = no;
            root.no = trees_.add(leaf);
            best = {cost(loss, 2), trees_.add(root)};
        };
        if (!has_directions_) {
            keep(splits.names[split].cut, least, here.yes_label[split],
                 here.no_label[split]);
            continue;
        }
        const auto loss_of = [&](std::uint32_t label, bool yes) {
            const Weight potential =
                yes ? here.potential[split]
                    : reader.potential(here.node.rows.total.data(), 1) -
                          here.potential[split];
            return potential - here.node.side_sum(label, split, yes);
        };
        list_cuts(here, split, demands, cuts);
        for (const std::uint32_t cut : cuts) {
            const Demands on_yes = points_.beside(demands, column, cut, true),
                          on_no = points_.beside(demands, column, cut, false);
            for (const std::uint32_t yes : {0u, 1u}) {
                for (const std::uint32_t no : {0u, 1u}) {
                    const int rise = static_cast<int>(no) - static_cast<int>(yes);
                    if (rise * direction(column) < 0 || !allows_label(on_yes, yes) ||
                        !allows_label(on_no, no)) {
                        continue;
                    }
                    keep(cut, loss_of(yes, true) + loss_of(no, false), yes, no);
                }
            }
        }
    }
}

/// Raise the bounds of the children by pairs of splits that are allowed (B6).
template <class Sum>
void Search<Sum>::bound_children(Level& level, const Limits& limits, Cost goal) {
    const NodeSplits<Sum>& splits = level.node.splits;
    const auto is_open = [&](std::uint32_t split) {
        return splits.is_split[split] &&
               level.yes_lower[split] + level.no_lower[split] < goal &&
               allows(interactions_, limits.state, problem_,
                      splits.names[split].column);
    };
    Vector<Sum> yes_two(splits.width, 0, memory_), no_two(splits.width, 0, memory_);
    std::vector<std::uint8_t> is_allowed(splits.width, 1);
    std::uint32_t last = none;
    const auto lower = [&](Weight leaf, Weight two, Weight cell) {
        ChildCosts costs =
            child_costs({leaf, two, cell, unreachable_loss<Sum>}, problem_.scale, {});
        if (limits.depth == 2) costs.more = unreachable;
        return costs.lower();
    };
    const auto& kernels = costs_.scanner.kernels();
    costs_.scanner.for_each_first(level, is_open, [&](std::uint32_t split) {
        const auto row = costs_.scanner.row(level, split);
        ChildBest<Sum> found = kernels.pair_bounds(row);
        if (!interactions_.are_free()) {
            const std::uint32_t column = splits.names[split].column;
            if (column != last) {
                last = column;
                const std::uint32_t state =
                    interactions_.below(limits.state, problem_.splits[column].feature);
                for (std::uint32_t other = 0; other < splits.width; ++other) {
                    is_allowed[other] =
                        splits.is_split[other] && allows(interactions_, state, problem_,
                                                         splits.names[other].column);
                }
            }
            kernels.two_leaves(row, true, yes_two.data(), no_two.data());
            found.yes_two = found.no_two = unreachable_loss<Sum>;
            for (std::uint32_t other = 0; other < splits.width; ++other) {
                if (!is_allowed[other]) continue;
                found.yes_two = std::min(found.yes_two, yes_two[other]);
                found.no_two = std::min(found.no_two, no_two[other]);
            }
        }
        costs_.raise(level, split, true,
                     lower(level.yes_leaf[split], found.yes_two, found.yes_cell));
        costs_.raise(level, split, false,
                     lower(level.no_leaf[split], found.no_two, found.no_cell));
    });
}

template <class Sum>
void Search<Sum>::list_cuts(const Level& level, std::uint32_t split,
                            const Demands& demands,
                            std::vector<std::uint32_t>& out) const {
    const Split name = level.node.splits.names[split];
    if (demands.empty()) {
        out.assign(1, name.cut);
        return;
    }
    const std::uint32_t first = level.first_cut[split],
                        last = first + level.n_cuts[split] - 1;
    out.assign(1, first);
    for (const std::uint32_t demand : demands) {
        const std::uint32_t rank = points_.of(demand)[name.column];
        if (first < rank && rank <= last) out.push_back(rank);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

template <class Sum>
Cost Search<Sum>::lower_of(const Join& pair, bool yes) const {
    const Level& here = const_cast<Search*>(this)->costs_.level(pair.at);
    Cost lower = yes ? here.yes_lower[pair.split] : here.no_lower[pair.split];
    const Limits& limits = pair.limits[yes];
    Subproblem key{here.partition.hash(yes), limits.depth, limits.leaves, limits.state,
                   pair.demands[yes]};
    if (const auto at = known_.find(key); at != known_.end()) {
        lower = std::max(lower, at->second.lower);
    }
    if (key.demands.empty()) return lower;
    key.demands.clear();
    if (const auto at = known_.find(key); at != known_.end()) {
        lower = std::max(lower, at->second.lower);
    }
    return lower;
}

template <class Sum>
typename Search<Sum>::Found Search<Sum>::solve_side(const Join& pair, bool yes,
                                                    Cost budget) {
    Level& here = costs_.level(pair.at);
    const std::uint32_t column = here.node.splits.names[pair.split].column;
    const Range whole = box_[column];
    if (yes) {
        box_[column].high = pair.cut;
    } else {
        box_[column].low = pair.cut + 1;
    }
    const Found found = solve_child({pair.at, pair.split, yes}, pair.limits[yes],
                                    pair.demands[yes], budget);
    box_[column] = whole;
    const bool serves_neighbours =
        !has_directions_ && problem_.limits.leaves == unlimited;
    if (serves_neighbours) costs_.raise(here, pair.split, yes, found.cost);
    return found;
}

/// Both children, as if they were independent.
template <class Sum>
typename Search<Sum>::Found Search<Sum>::join_sides(const Join& pair, Cost budget) {
    const Level& here = costs_.level(pair.at);
    const bool first = here.yes_leaf[pair.split] >= here.no_leaf[pair.split];
    const Cost other = lower_of(pair, !first);
    if (lower_of(pair, first) + other > budget) return {budget + 1, 0};
    const Found one = solve_side(pair, first, budget - other);
    if (one.cost + other > budget) return {budget + 1, 0};
    const Found two = solve_side(pair, !first, budget - one.cost);
    if (one.cost + two.cost > budget) return {budget + 1, 0};
    const Split name = here.node.splits.names[pair.split];
    Node root;
    root.column = static_cast<std::int32_t>(name.column);
    root.cut = pair.cut;
    root.yes = first ? one.tree : two.tree;
    root.no = first ? two.tree : one.tree;
    return {one.cost + two.cost, trees_.add(root)};
}

/// The best pair of children that breaks no direction.
template <class Sum>
typename Search<Sum>::Found Search<Sum>::join(Join& pair, Cost budget) {
    const Found found = join_sides(pair, budget);
    if (found.cost > budget) return found;
    const Node root = trees_[found.tree];
    const auto column = static_cast<std::uint32_t>(root.column);
    const int rises = direction(column);
    if (rises == 0) return found;
    const bool low_is_yes = rises > 0;
    std::optional<Point> point = trees_.find_fall(
        low_is_yes ? root.yes : root.no, low_is_yes ? root.no : root.yes, column, box_);
    if (!point) return found;
    Found best{budget + 1, 0};
    // Either the low side gives the point label 0, where it is closest to the high
    // side, or the high side gives it label 1, where it is closest to the low side.
    for (const bool is_low : {true, false}) {
        const bool yes = is_low == low_is_yes;
        (*point)[column] = yes ? pair.cut : pair.cut + 1;
        const std::uint32_t demand = points_.demand(*point, is_low ? 0 : 1);
        const Demands before = pair.demands[yes];
        Demands& demands = pair.demands[yes];
        const auto place = std::lower_bound(demands.begin(), demands.end(), demand);
        assert(place == demands.end() || *place != demand);
        demands.insert(place, demand);
        const Found part = join(pair, std::min(budget, best.cost - 1));
        if (part.cost < best.cost) best = part;
        pair.demands[yes] = before;
    }
    return best;
}

template <class Sum>
Outcome Search<Sum>::outcome() const {
    const Cost base = problem_.scale.factor * problem_.base;
    if (best_.cost == unreachable) return lone_leaf(problem_, stop_);
    Outcome out;
    const auto write = [&](const auto& self, std::uint32_t number) -> std::uint32_t {
        const Node& node = trees_[number];
        std::vector<FoundTree::Node>& nodes = out.result.tree.nodes;
        const std::size_t at = nodes.size();
        nodes.emplace_back();
        out.labels.push_back(node.label);
        out.thresholds.feature.push_back(-1);
        out.thresholds.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
        if (node.column < 0) return static_cast<std::uint32_t>(at);
        // Thresholds lie between values of all rows: those of two nodes must agree
        // wherever the search took them for the same question.
        const rashomon::Question asked = rashomon::question_of(
            problem_, {static_cast<std::uint32_t>(node.column), node.cut});
        out.thresholds.feature[at] = static_cast<std::int32_t>(asked.feature);
        out.thresholds.threshold[at] = asked.threshold;
        const std::uint32_t yes = self(self, node.yes), no = self(self, node.no);
        nodes[at].is_leaf = false;
        nodes[at].yes = yes;
        nodes[at].no = no;
        return static_cast<std::uint32_t>(at);
    };
    write(write, best_.tree);
    Result& result = out.result;
    result.lower = lower_ + base;
    result.upper = best_.cost + base;
    result.status = lower_ == best_.cost
                        ? Status::optimal
                        : stop_.reason().value_or(Status::memory_limit);
    result.proved_depth = proved_depth_;
    result.statistics.seconds = stop_.watch.seconds();
    result.statistics.subproblems = known_.size();
    result.statistics.memo_entries = known_.size();
    result.statistics.memo_hits = n_hits_;
    result.statistics.peak_memory = memory_.peak();
    result.statistics.n_groups = problem_.n_groups;
    result.statistics.n_columns = problem_.splits.size();
    result.statistics.n_thresholds = problem_.n_cuts();
    return out;
}

Outcome lone_leaf(const Problem& problem, const StopSign& stop) {
    Outcome out;
    out.result.tree.nodes.emplace_back();
    out.thresholds = {{-1}, {std::numeric_limits<double>::quiet_NaN()}};
    out.labels.push_back(0);
    out.result.upper = problem.scale.cost(problem.one_leaf, 1);
    out.result.lower = std::min(problem.scale.penalty, out.result.upper);
    out.result.status = stop.reason().value_or(Status::memory_limit);
    out.result.statistics.seconds = stop.watch.seconds();
    return out;
}

Outcome search(const Problem& problem, const Constraints& constraints, Cost lower,
               std::optional<std::uint64_t> effort, StopSign& stop, Progress& progress,
               MemoryBudget& memory) {
    // A search that ends after counted work proves one depth after the other; others
    // look at small depths for a good tree only.
    constexpr std::uint32_t few = 3;
    if (effort) stop.end_after({.nanoseconds = *effort});
    const std::uint32_t most_depth = effort ? unlimited : few;
    const auto run = [&](auto sum) {
        return Search<decltype(sum)>(problem, constraints, stop, progress, memory)
            .run(lower, most_depth);
    };
    return fits_narrow_sums(problem) ? run(std::int32_t{}) : run(std::int64_t{});
}

}  // namespace ostrya::constrained
