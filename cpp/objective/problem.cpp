#include "objective/problem.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "data/row_keys.hpp"

namespace ostrya {
namespace {

/// Losses of each group for each label, what each class weighs in it, and its rows.
struct GroupLosses {
    std::vector<Weight> loss;  // n_groups x n_labels
    std::vector<Weight> mass;  // n_groups x n_labels
    std::vector<Weight> count;
};

/// Where a reference model is wrong (bound 9), a row loses at least what the reference
/// loses on it, whatever the label: add what that is more than the label's own loss.
void add_reference_loss(const Request& request, std::size_t row, Weight* loss) {
    if (request.reference[row] == request.codes[row]) return;
    const std::int64_t* costs = request.costs + request.codes[row] * request.n_labels;
    const std::int64_t least = costs[request.reference[row]];
    for (std::size_t label = 0; label < request.n_labels; ++label) {
        if (costs[label] < least) {
            loss[label] += request.weight(row) * (least - costs[label]);
        }
    }
}

/// Losses of the rows that differ.
GroupLosses sum_losses(const Request& request, const DistinctRows& rows) {
    const std::size_t k = request.n_labels;
    const std::vector<Weight> none(rows.size() * k);
    GroupLosses out{none, none, std::vector<Weight>(rows.size())};
    for (std::size_t row = 0; row < request.values.n_rows; ++row) {
        const std::size_t group = rows.of_row[row];
        out.count[group] += 1;
        out.mass[group * k + request.codes[row]] += request.weight(row);
        if (request.reference) {
            add_reference_loss(request, row, out.loss.data() + group * k);
        }
    }
    for (std::size_t at = 0; at < out.mass.size(); ++at) {
        if (out.mass[at] == 0) continue;
        const std::int64_t* costs = request.costs + at % k * k;
        Weight* loss = out.loss.data() + at / k * k;
        for (std::size_t label = 0; label < k; ++label) {
            loss[label] += out.mass[at] * costs[label];
        }
    }
    return out;
}

/// Add up `width` numbers a row by group.
std::vector<Weight> sum_by_group(const std::vector<Weight>& of_row,
                                 const Groups& groups, std::size_t width) {
    std::vector<Weight> sums(groups.size() * width);
    for (std::size_t at = 0; at < of_row.size(); ++at) {
        sums[groups.of_row[at / width] * width + at % width] += of_row[at];
    }
    return sums;
}

Weight potential_of(const GroupLosses& losses, std::size_t group, std::size_t k) {
    const auto begin = losses.loss.begin() + group * k;
    const auto [least, most] = std::minmax_element(begin, begin + k);
    return *most - *least;
}

/// What label `label` gains a group over the worst label.
Weight gain_of(const GroupLosses& losses, std::size_t group, std::size_t label,
               std::size_t k) {
    const auto begin = losses.loss.begin() + group * k;
    return *std::max_element(begin, begin + k) - begin[label];
}

/// Whether gains say what each class weighs: rows that are equal share their class,
/// and mistakes cost one.
bool gains_are_masses(const GroupLosses& losses, std::size_t k) {
    for (std::size_t at = 0; at < losses.mass.size(); ++at) {
        if (losses.mass[at] != gain_of(losses, at / k, at % k, k)) return false;
    }
    return true;
}

/// Drop the cuts that no tree needs (bound 3), and merge the ranks they separated.
/// Ranks are of rows that differ here.
/// True when any were dropped.
bool drop_cuts(SplitColumn& column, const Groups& groups,
               const std::vector<Weight>& potential, Weight floor) {
    std::vector<Weight> by_rank(column.n_ranks());
    Weight total = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        by_rank[column.ranks[groups.representative[group]]] += potential[group];
        total += potential[group];
    }
    std::vector<std::uint32_t> cuts;
    std::vector<std::uint32_t> local(column.n_ranks());
    Weight yes = 0;
    for (std::uint32_t rank = 0; rank < column.n_ranks(); ++rank) {
        local[rank] = static_cast<std::uint32_t>(cuts.size());
        yes += by_rank[rank];
        if (rank < column.cuts.size() && yes > floor && total - yes > floor) {
            cuts.push_back(column.cuts[rank]);
        }
    }
    if (cuts.size() == column.cuts.size()) return false;
    column.cuts = std::move(cuts);
    for (std::uint32_t& rank : column.ranks) rank = local[rank];
    return true;
}

/// The ranks of a column; a yes/no column and its complement look alike.
std::vector<std::uint32_t> canonical_ranks(const SplitColumn& column) {
    std::vector<std::uint32_t> ranks = column.ranks;
    if (column.n_ranks() == 2 && ranks[0] == 1) {
        for (std::uint32_t& rank : ranks) rank = 1 - rank;
    }
    return ranks;
}

/// A sum that the processor need not wait for; equal hashes are compared in full.
std::uint64_t hash_of(const std::vector<std::uint32_t>& ranks) {
    std::uint64_t hash = 0, factor = 1;
    for (const std::uint32_t rank : ranks) {
        hash += (rank + 1) * (factor ^ (factor << 31));
        factor += 2;
    }
    return hash;
}

/// Keep the first of columns that make the same splits.
void drop_duplicates(std::vector<SplitColumn>& columns) {
    std::unordered_multimap<std::uint64_t, std::vector<std::uint32_t>> seen;
    std::erase_if(columns, [&](const SplitColumn& column) {
        std::vector<std::uint32_t> ranks = canonical_ranks(column);
        const std::uint64_t hash = hash_of(ranks);
        const auto [begin, end] = seen.equal_range(hash);
        const bool is_repeated = std::any_of(
            begin, end, [&](const auto& entry) { return entry.second == ranks; });
        if (!is_repeated) seen.emplace(hash, std::move(ranks));
        return is_repeated;
    });
}

/// Drop cuts that are not needed, merge the rows they told apart, and repeat until
/// nothing changes: merging only lowers potentials, so cuts only disappear.
Groups drop_cuts_until_stable(const Request& request, Problem& problem,
                              GroupLosses& losses) {
    const std::size_t n_rows = problem.rows.size();
    const GroupLosses of_rows = losses;
    Groups groups = keep_rows_apart(n_rows);
    for (;;) {
        std::vector<Weight> potential(groups.size());
        for (std::size_t group = 0; group < groups.size(); ++group) {
            potential[group] = potential_of(losses, group, request.n_labels);
        }
        bool is_stable = true;
        for (SplitColumn& column : problem.splits) {
            if (drop_cuts(column, groups, potential, request.support_floor)) {
                is_stable = false;
            }
        }
        if (is_stable) return groups;
        std::erase_if(problem.splits,
                      [](const SplitColumn& column) { return column.cuts.empty(); });
        Groups merged = merge_equal_rows(problem.splits, n_rows);
        if (merged.size() == groups.size()) return groups;
        groups = std::move(merged);
        losses = {sum_by_group(of_rows.loss, groups, request.n_labels),
                  sum_by_group(of_rows.mass, groups, request.n_labels),
                  sum_by_group(of_rows.count, groups, 1)};
    }
}

/// Groups in the order the kernels like: rows that prefer the same label together,
/// heaviest first, so that high bits of the weights fill only the first few words.
std::vector<std::uint32_t> group_order(const Groups& groups, const GroupLosses& losses,
                                       const Problem& problem) {
    const std::size_t k = problem.layout.n_labels;
    const FeatureOrder by_features(problem.splits, groups, problem.rows.size());
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> best(groups.size());
    std::vector<Weight> potential(groups.size());
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        const auto begin = losses.loss.begin() + group * k;
        best[group] =
            static_cast<std::uint32_t>(std::min_element(begin, begin + k) - begin);
        potential[group] = potential_of(losses, group, k);
        // A group that is indifferent to its label matters only where rows are counted
        // or their classes are.
        if (potential[group] > 0 || problem.layout.keeps_every_row())
            order.push_back(group);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (best[a] != best[b]) return best[a] < best[b];
        if (potential[a] != potential[b]) return potential[a] > potential[b];
        return by_features(a, b);
    });
    return order;
}

/// Keys that depend on everything a search depends on but the options of its caller.
std::vector<RowHash> keys_of(const Problem& problem) {
    Digest digest = start_row_keys();
    for (const std::uint64_t number :
         {static_cast<std::uint64_t>(problem.scale.factor),
          static_cast<std::uint64_t>(problem.scale.penalty),
          std::uint64_t{problem.limits.depth}, std::uint64_t{problem.limits.leaves},
          std::uint64_t{problem.min_samples_leaf}, std::uint64_t{problem.ranks_splits},
          std::uint64_t{problem.layout.n_labels}}) {
        digest.add_number(number);
    }
    digest.add_all(problem.sums);
    add_ranks(digest, problem.splits, problem.n_groups);
    return row_keys(digest, problem.n_groups);
}

void fill_sums(Problem& problem, const std::vector<std::uint32_t>& order,
               const GroupLosses& losses) {
    const std::size_t k = problem.layout.n_labels;
    const std::size_t width = problem.layout.size();
    problem.n_groups = order.size();
    problem.sums.assign(order.size() * width, 0);
    for (std::size_t index = 0; index < order.size(); ++index) {
        const auto begin = losses.loss.begin() + order[index] * k;
        const auto [least, most] = std::minmax_element(begin, begin + k);
        Weight* sums = problem.sums.data() + index * width;
        for (std::size_t label = 0; label < k; ++label) {
            sums[label] = *most - begin[label];
        }
        problem.potential += *most - *least;
        for (std::size_t label = 0; label < problem.layout.n_masses; ++label) {
            sums[problem.layout.mass_slot() + label] =
                losses.mass[order[index] * k + label];
        }
        if (problem.layout.is_binary()) continue;
        sums[problem.layout.potential_slot()] = *most - *least;
        if (problem.layout.counts_rows) {
            sums[problem.layout.count_slot()] = losses.count[order[index]];
        }
    }
}

}  // namespace

Problem build_problem(const Request& request, const StopCheck& is_stopped) {
    Problem problem;
    problem.scale = request.scale;
    problem.limits = request.limits;
    problem.min_samples_leaf = request.min_samples_leaf;
    problem.support_floor = request.support_floor;
    problem.few_cuts = request.few_cuts;
    problem.cross_tables = request.cross_tables;
    problem.ranks_splits = request.ranks_splits;
    problem.layout = {static_cast<std::uint32_t>(request.n_labels),
                      request.min_samples_leaf > 1};
    DistinctRows distinct = find_distinct_rows(request.values);
    for (Column& column : rank_columns(request.values, distinct, is_stopped)) {
        problem.splits.push_back(all_cuts(column));
        problem.values.push_back(std::move(column.values));
    }
    problem.is_complete = problem.splits.size() == request.values.n_columns;
    GroupLosses losses = sum_losses(request, distinct);
    problem.rows = std::move(distinct.first);
    if (!problem.is_complete) problem.splits.clear();
    const Groups groups = problem.is_complete
                              ? drop_cuts_until_stable(request, problem, losses)
                              : keep_rows_apart(problem.rows.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const auto begin = losses.loss.begin() + group * request.n_labels;
        problem.base += *std::min_element(begin, begin + request.n_labels);
    }
    if (request.ranks_splits && !gains_are_masses(losses, request.n_labels)) {
        problem.layout.n_masses = problem.layout.n_labels;
    }
    const std::vector<std::uint32_t> order = group_order(groups, losses, problem);
    fill_sums(problem, order, losses);
    std::vector<std::uint32_t> rows(order.size());
    std::transform(order.begin(), order.end(), rows.begin(),
                   [&](std::uint32_t group) { return groups.representative[group]; });
    for (SplitColumn& split : problem.splits) {
        std::vector<std::uint32_t> ranks(rows.size());
        std::transform(rows.begin(), rows.end(), ranks.begin(),
                       [&](std::uint32_t row) { return split.ranks[row]; });
        split.ranks = std::move(ranks);
    }
    if (!order.empty() && !problem.ranks_splits) drop_duplicates(problem.splits);
    if (problem.is_complete) problem.keys = keys_of(problem);
    return problem;
}

}  // namespace ostrya
