#include "objective/problem.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "data/row_keys.hpp"
#include "data/sort_by_key.hpp"
#include "objective/useful_columns.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {
namespace {

/// Whether gains say what each class weighs: rows that are equal share their class,
/// and mistakes cost one.
bool gains_are_masses(const MergedRows& merged, LabelLosses& losses) {
    Vector<Weight> masses(losses.n_labels(), 0, merged.losses.get_allocator());
    for (std::size_t group = 0; group < merged.groups.size(); ++group) {
        const auto rows_by_label = merged.masses.of(group);
        std::fill(masses.begin(), masses.end(), 0);
        for (const LabelMass& rows : rows_by_label) {
            masses[static_cast<std::size_t>(rows.label)] += rows.mass;
        }
        const Vector<Weight>& loss = losses.of_group(rows_by_label);
        for (std::size_t label = 0; label < masses.size(); ++label) {
            if (masses[label] != merged.losses[group].most - loss[label]) return false;
        }
    }
    return true;
}

/// A number per group for the order below: its label, how much lighter it is than the
/// heaviest, and as much of its hash as fits 64 bits.
Vector<KeyedRow> keyed_groups(const MergedRows& merged, const SumLayout& layout,
                              const FeatureOrder& by_features) {
    Weight lightest = std::numeric_limits<Weight>::max(), heaviest = 0;
    for (const LossSpan& span : merged.losses) {
        lightest = std::min(lightest, span.potential());
        heaviest = std::max(heaviest, span.potential());
    }
    const auto range =
        static_cast<std::uint64_t>(std::max(heaviest - lightest, Weight{0}));
    const auto label_bits = static_cast<int>(std::bit_width(layout.n_labels - 1));
    const auto all_weight_bits = static_cast<int>(std::bit_width(range));
    const int weight_bits = std::min(all_weight_bits, 64 - label_bits);
    Vector<KeyedRow> out(merged.losses.get_allocator());
    out.reserve(merged.groups.size());
    for (std::uint32_t group = 0; group < merged.groups.size(); ++group) {
        const LossSpan& span = merged.losses[group];
        // A group that is indifferent to its label matters only where rows are counted
        // or their classes are.
        if (span.potential() == 0 && !layout.keeps_every_row()) continue;
        const auto lighter = static_cast<std::uint64_t>(heaviest - span.potential());
        const std::uint64_t head = (std::uint64_t{span.best} << weight_bits) |
                                   (lighter >> (all_weight_bits - weight_bits));
        const auto both =
            (static_cast<unsigned __int128>(head) << 64) | by_features.hash(group);
        out.push_back(
            {static_cast<std::uint64_t>(both >> (label_bits + weight_bits)), group});
    }
    return out;
}

/// Groups in the order the kernels like: rows that prefer the same label together,
/// heaviest first, so that high bits of the weights fill only the first few words.
/// Nothing if stopped.
std::optional<Vector<std::uint32_t>> group_order(const MergedRows& merged,
                                                 const Problem& problem,
                                                 const StopCheck& is_stopped) {
    const FeatureOrder by_features(problem.splits, merged.groups, merged.hashes);
    Vector<KeyedRow> rows = keyed_groups(merged, problem.layout, by_features);
    Vector<KeyedRow> spare(rows.get_allocator());
    if (!sort_by_key(rows, spare, is_stopped)) return {};
    const auto compare = [&](const KeyedRow& a, const KeyedRow& b) {
        const LossSpan &x = merged.losses[a.row], &y = merged.losses[b.row];
        if (x.best != y.best) return x.best < y.best;
        if (x.potential() != y.potential()) return x.potential() > y.potential();
        return by_features(a.row, b.row);
    };
    // What is left to sort are groups whose numbers agree, by chance or as planned.
    for (auto begin = rows.begin(); begin != rows.end();) {
        auto end = begin + 1;
        while (end != rows.end() && begin->key == end->key) ++end;
        if (end - begin > 1) {
            if (is_stopped()) return {};
            std::sort(begin, end, compare);
        }
        begin = end;
    }
    Vector<std::uint32_t> order(rows.get_allocator());
    order.reserve(rows.size());
    for (const KeyedRow& each : rows) order.push_back(each.row);
    return order;
}

/// Keys that depend on everything a search depends on but the options of its caller.
/// Fewer if stopped.
Vector<RowHash> keys_of(const Problem& problem, MemoryBudget& memory,
                        const StopCheck& is_stopped) {
    Digest digest = start_row_keys();
    for (const std::uint64_t number :
         {static_cast<std::uint64_t>(problem.scale.factor),
          static_cast<std::uint64_t>(problem.scale.penalty),
          std::uint64_t{problem.limits.depth}, std::uint64_t{problem.limits.leaves},
          std::uint64_t{problem.min_samples_leaf}, std::uint64_t{problem.ranks_splits},
          std::uint64_t{problem.layout.n_labels}, std::uint64_t{problem.sums.size()}}) {
        digest.add_number(number);
    }
    for (std::size_t at = 0; at < problem.sums.size(); at += rows_between_checks) {
        if (is_stopped()) return Vector<RowHash>(memory);
        digest.add(problem.sums.data() + at,
                   std::min(rows_between_checks, problem.sums.size() - at) *
                       sizeof problem.sums[0]);
    }
    if (!add_ranks(digest, problem.splits, problem.n_groups, is_stopped)) {
        return Vector<RowHash>(memory);
    }
    return row_keys(digest, problem.n_groups, memory, is_stopped);
}

/// Sums of the groups in this order; false if stopped.
bool fill_sums(Problem& problem, const Vector<std::uint32_t>& order,
               const MergedRows& merged, LabelLosses& losses,
               const StopCheck& is_stopped) {
    const SumLayout& layout = problem.layout;
    problem.n_groups = order.size();
    problem.sums.assign(order.size() * layout.size(), 0);
    for (std::size_t index = 0; index < order.size(); ++index) {
        if (is_stopped_at(index * layout.size(), is_stopped)) return false;
        const std::uint32_t group = order[index];
        const LossSpan& span = merged.losses[group];
        Weight* sums = problem.sums.data() + index * layout.size();
        losses.add_gains(merged.masses.of(group), span.most, sums);
        problem.potential += span.potential();
        if (layout.n_masses > 0) {
            for (const LabelMass& rows : merged.masses.of(group)) {
                sums[layout.mass_slot() + static_cast<std::size_t>(rows.label)] +=
                    rows.mass;
            }
        }
        if (layout.marks_rows) sums[layout.mark_slot()] = span.potential() == 0 ? 1 : 0;
        if (layout.is_binary()) continue;
        sums[layout.potential_slot()] = span.potential();
        if (layout.counts_rows) sums[layout.count_slot()] = merged.masses.counts[group];
    }
    return true;
}

Problem plain_problem(const Request& request, MemoryBudget& memory) {
    Problem problem(memory);
    problem.scale = request.scale;
    problem.limits = request.limits;
    problem.min_samples_leaf = request.min_samples_leaf;
    problem.support_floor = request.support_floor;
    problem.few_cuts = request.few_cuts;
    problem.cross_tables = request.cross_tables;
    problem.ranks_splits = request.ranks_splits;
    problem.layout = {static_cast<std::uint32_t>(request.n_labels),
                      request.min_samples_leaf > 1};
    return problem;
}

/// What all rows lose as one leaf, and what each part of them loses at least by itself;
/// `visit(at, take)` calls `take` with the masses of one of the parts.
template <class Visit>
void count_all(std::size_t n_parts, const Visit& visit, const LabelLosses& losses,
               MemoryBudget& memory, Problem& problem) {
    Vector<Weight> masses(losses.n_labels(), 0, memory);
    Vector<Weight> loss(losses.n_labels(), 0, memory);
    problem.base = 0;
    const auto take = [&](const LabelMass& rows) {
        problem.base += losses.least(rows);
        if (rows.reference == rows.label) {
            masses[static_cast<std::size_t>(rows.label)] += rows.mass;
        } else {
            losses.add(rows, loss.data());
        }
    };
    for (std::size_t at = 0; at < n_parts; ++at) visit(at, take);
    for (std::int32_t label = 0; label < static_cast<std::int32_t>(masses.size());
         ++label) {
        losses.add({label, label, masses[static_cast<std::size_t>(label)]},
                   loss.data());
    }
    problem.one_leaf = *std::min_element(loss.begin(), loss.end());
}

/// Nothing if stopped.
std::optional<DistinctRows> distinct_rows(const Request& request, MemoryBudget& memory,
                                          const StopCheck& is_stopped) {
    const KnownRanks& known = request.known;
    if (known.is_known()) return renumber_rows({known.numbers, known.n_rows}, memory);
    return find_distinct_rows(request.values.cells, memory, is_stopped);
}

/// Cells of a table from which on it is worth while to start threads: some
/// milliseconds.
constexpr std::size_t many_cells = std::size_t{1} << 20;

/// The threads that rank and cut columns, each of which needs scratch for one.
std::size_t n_threads_for(const Request& request, std::size_t n_rows,
                          const MemoryBudget& memory) {
    if (n_rows * request.values.n_columns() < many_cells) return 1;
    std::size_t n = 1;
    while (n < request.n_threads && memory.allows(n * n_rows * Ranker::bytes_per_row)) {
        ++n;
    }
    return n;
}

/// The steps from rows to a problem; false as soon as one is stopped.
bool complete(const Request& request, LabelLosses& losses, MemoryBudget& memory,
              const StopCheck& is_stopped, Problem& problem) {
    std::optional<DistinctRows> distinct = distinct_rows(request, memory, is_stopped);
    if (!distinct) return false;
    auto masses = sum_rows(losses, distinct->of_row, distinct->size(), is_stopped);
    if (!masses) return false;
    count_all(
        masses->masses.size(),
        [&](std::size_t at, const auto& take) { take(masses->masses[at]); }, losses,
        memory, problem);
    distinct->of_row = Vector<std::uint32_t>(memory);
    const SharedLoop loop(n_threads_for(request, distinct->size(), memory), is_stopped);
    for (Column& column :
         rank_columns(request.values, *distinct, request.known, memory, loop)) {
        problem.splits.push_back(all_cuts(column, memory));
        problem.values.push_back(std::move(column.values));
    }
    problem.rows = std::move(distinct->first);
    if (problem.splits.size() < request.values.n_columns()) return false;
    const auto merged = drop_useless_cuts(problem.splits, std::move(*masses), losses,
                                          request.support_floor, loop);
    if (!merged) return false;
    problem.base = 0;
    for (const LossSpan& span : merged->losses) problem.base += span.least;
    if (request.counts_trees) {
        problem.layout.marks_rows =
            !problem.layout.counts_rows &&
            std::any_of(merged->losses.begin(), merged->losses.end(),
                        [](const LossSpan& span) { return span.potential() == 0; });
    } else if (request.ranks_splits && !gains_are_masses(*merged, losses)) {
        problem.layout.n_masses = problem.layout.n_labels;
    }
    const auto order = group_order(*merged, problem, is_stopped);
    if (!order) return false;
    problem.n_groups = order->size();
    if (!memory.allows(order->size() * problem.layout.size() * sizeof(Weight))) {
        return false;
    }
    if (!fill_sums(problem, *order, *merged, losses, is_stopped)) return false;
    Vector<std::uint32_t> rows(order->size(), 0, memory);
    std::transform(
        order->begin(), order->end(), rows.begin(),
        [&](std::uint32_t group) { return merged->groups.representative[group]; });
    if (!keep_rows(problem.splits, rows, loop)) return false;
    if (!order->empty() && !problem.ranks_splits) drop_duplicates(problem.splits);
    problem.keys = keys_of(problem, memory, is_stopped);
    return problem.keys.size() == problem.n_groups;
}

}  // namespace

Problem build_problem(const Request& request, MemoryBudget& memory,
                      const StopCheck& is_stopped) {
    Problem problem = plain_problem(request, memory);
    LabelLosses losses(request, memory);
    problem.is_complete = complete(request, losses, memory, is_stopped, problem);
    if (problem.is_complete) {
        problem.has_many_cuts = problem.n_cuts() >= FixedTuning::many_cuts_per_column *
                                                        problem.splits.size();
        return problem;
    }
    count_all(
        request.values.n_rows(),
        [&](std::size_t row, const auto& take) { losses.masses_of(row, take); }, losses,
        memory, problem);
    problem.splits = Vector<SplitColumn>(memory);
    problem.values = Vector<Vector<double>>(memory);
    problem.sums = Vector<Weight>(memory);
    problem.rows.resize(request.values.n_rows());
    std::iota(problem.rows.begin(), problem.rows.end(), 0);
    return problem;
}

}  // namespace ostrya
