#include "objective/useful_columns.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ostrya {
namespace {

/// Drop the cuts that no tree needs (bound 3), and merge the ranks they separated.
/// Ranks are of rows that differ here.
/// True when any were dropped.
bool drop_cuts(SplitColumn& column, const Groups& groups,
               const Vector<LossSpan>& losses, Weight floor) {
    MemoryBudget& memory = column.ranks.budget();
    Vector<Weight> by_rank(column.n_ranks(), 0, memory);
    Weight total = 0;
    column.ranks.visit([&](const auto ranks) {
        for (std::size_t group = 0; group < groups.size(); ++group) {
            const Weight potential = losses[group].potential();
            by_rank[ranks[groups.representative[group]]] += potential;
            total += potential;
        }
    });
    Vector<std::uint32_t> cuts(memory);
    Vector<std::uint32_t> local(column.n_ranks(), 0, memory);
    Weight yes = 0;
    for (std::uint32_t rank = 0; rank < column.n_ranks(); ++rank) {
        local[rank] = static_cast<std::uint32_t>(cuts.size());
        yes += by_rank[rank];
        if (rank < column.cuts.size() && yes > floor && total - yes > floor) {
            cuts.push_back(column.cuts[rank]);
        }
    }
    if (cuts.size() == column.cuts.size()) return false;
    cuts.shrink_to_fit();
    column.cuts = std::move(cuts);
    column.ranks.renumber(local);
    return true;
}

std::optional<Vector<LossSpan>> spans_of(const GroupMasses& masses, LabelLosses& losses,
                                         const StopCheck& is_stopped) {
    Vector<LossSpan> out(masses.counts.get_allocator());
    out.reserve(masses.size());
    for (std::size_t group = 0; group < masses.size(); ++group) {
        if (is_stopped_at(group, is_stopped)) return {};
        out.push_back(losses.span_of(masses.of(group)));
    }
    return out;
}

/// Whether the first row of a yes/no column is on its far side: a column and its
/// complement look alike if such are turned round.
bool is_turned(const SplitColumn& column) {
    return column.n_ranks() == 2 && column.ranks[0] == 1;
}

/// A sum that the processor need not wait for; equal hashes are compared in full.
std::uint64_t hash_of(const SplitColumn& column) {
    std::uint64_t hash = 0, factor = 1;
    const std::uint32_t turn = is_turned(column) ? 1 : 0;
    column.ranks.visit([&](const auto ranks) {
        for (const std::uint32_t rank : ranks) {
            hash += ((rank ^ turn) + 1) * (factor ^ (factor << 31));
            factor += 2;
        }
    });
    return hash;
}

bool split_alike(const SplitColumn& a, const SplitColumn& b) {
    const std::uint32_t turn = is_turned(a) != is_turned(b) ? 1 : 0;
    return a.ranks.visit([&](const auto of_a) {
        return b.ranks.visit([&](const auto of_b) {
            return std::ranges::equal(
                of_a, of_b,
                [turn](std::uint32_t x, std::uint32_t y) { return x == (y ^ turn); });
        });
    });
}

}  // namespace

std::optional<MergedRows> drop_useless_cuts(Vector<SplitColumn>& columns,
                                            GroupMasses of_rows, LabelLosses& losses,
                                            Weight floor, const StopCheck& is_stopped) {
    MemoryBudget& memory = columns.get_allocator().budget();
    const std::size_t n_rows = of_rows.size();
    std::optional<GroupMasses> merged_masses;
    Groups groups = keep_rows_apart(n_rows, memory);
    std::optional<Vector<std::uint64_t>> hashes;
    // Merging only lowers potentials, so cuts only disappear until nothing changes.
    for (;;) {
        const GroupMasses& masses = merged_masses ? *merged_masses : of_rows;
        auto spans = spans_of(masses, losses, is_stopped);
        if (!spans) return {};
        bool is_stable = true;
        for (SplitColumn& column : columns) {
            if (is_stopped()) return {};
            if (drop_cuts(column, groups, *spans, floor)) is_stable = false;
        }
        if (!is_stable) {
            std::erase_if(columns,
                          [](const SplitColumn& each) { return each.cuts.empty(); });
        }
        if (!is_stable || !hashes) hashes = hash_rows(columns, n_rows, is_stopped);
        if (!hashes) return {};
        if (!is_stable) {
            auto merged = merge_equal_rows(columns, *hashes, is_stopped);
            if (!merged) return {};
            is_stable = merged->size() == groups.size();
            if (!is_stable) {
                groups = std::move(*merged);
                merged_masses =
                    sum_groups(of_rows, groups, losses.n_labels(), is_stopped);
                if (!merged_masses) return {};
                continue;
            }
        }
        return MergedRows{std::move(groups),
                          std::move(merged_masses ? *merged_masses : of_rows),
                          std::move(*spans), std::move(*hashes)};
    }
}

void drop_duplicates(Vector<SplitColumn>& columns) {
    std::unordered_multimap<std::uint64_t, std::size_t> seen;
    std::size_t n_kept = 0;
    for (SplitColumn& column : columns) {
        const std::uint64_t hash = hash_of(column);
        const auto [begin, end] = seen.equal_range(hash);
        if (std::any_of(begin, end, [&](const auto& entry) {
                return split_alike(columns[entry.second], column);
            })) {
            continue;
        }
        seen.emplace(hash, n_kept);
        if (&columns[n_kept] != &column) columns[n_kept] = std::move(column);
        ++n_kept;
    }
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(n_kept), columns.end());
}

}  // namespace ostrya
