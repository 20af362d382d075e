#include "objective/useful_columns.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace ostrya {
namespace {

/// What every group could lose, and all of them.
struct Potentials {
    explicit Potentials(MemoryBudget& memory) : of_group(memory) {}

    void read(const Vector<LossSpan>& losses) {
        of_group.clear();
        total = 0;
        for (const LossSpan& span : losses) {
            of_group.push_back(span.potential());
            total += span.potential();
        }
    }

    Vector<Weight> of_group;
    Weight total = 0;
};

/// The same rank by rank; ranks are of rows that differ here.
void add_up(const Potentials& potentials, const SplitColumn& column,
            const Groups& groups, Vector<Weight>& by_rank) {
    by_rank.assign(column.n_ranks(), 0);
    column.ranks.visit([&](const auto ranks) {
        const Weight* of_group = potentials.of_group.data();
        Weight* sums = by_rank.data();
        if (groups.size() == ranks.size()) {  // each row is a group of its own
            for (std::size_t row = 0; row < ranks.size(); ++row) {
                sums[ranks[row]] += of_group[row];
            }
            return;
        }
        for (std::size_t group = 0; group < groups.size(); ++group) {
            sums[ranks[groups.representative[group]]] += of_group[group];
        }
    });
}

/// Drop the cuts that no tree needs (bound 3), and merge the ranks they separated.
/// True when any were dropped.
bool drop_cuts(SplitColumn& column, const Vector<Weight>& potentials, Weight total,
               Weight floor) {
    Weight yes = 0;
    const auto is_useful = [&](std::uint32_t rank) {
        yes += potentials[rank];
        return yes > floor && total - yes > floor;
    };
    const auto n_cuts = static_cast<std::uint32_t>(column.cuts.size());
    std::uint32_t n_useful = 0;
    for (std::uint32_t rank = 0; rank < n_cuts; ++rank) n_useful += is_useful(rank);
    if (n_useful == n_cuts) return false;
    MemoryBudget& memory = column.ranks.budget();
    Vector<std::uint32_t> cuts(memory);
    cuts.reserve(n_useful);
    Vector<std::uint32_t> local(column.n_ranks(), 0, memory);
    yes = 0;
    for (std::uint32_t rank = 0; rank < n_cuts; ++rank) {
        local[rank] = static_cast<std::uint32_t>(cuts.size());
        if (is_useful(rank)) cuts.push_back(column.cuts[rank]);
    }
    local[n_cuts] = n_useful;
    column.cuts = std::move(cuts);
    column.ranks.renumber(local);
    return true;
}

/// The same for all columns; nothing if stopped.
std::optional<bool> drop_cuts_of_all(Vector<SplitColumn>& columns,
                                     const Potentials& potentials, const Groups& groups,
                                     Weight floor, const SharedLoop& loop) {
    MemoryBudget& memory = columns.get_allocator().budget();
    std::atomic<bool> drops_any = false;
    const bool is_whole = loop.run(columns.size(), [&](const StopCheck&) {
        return [&, by_rank = Vector<Weight>(memory)](std::size_t at) mutable {
            add_up(potentials, columns[at], groups, by_rank);
            if (drop_cuts(columns[at], by_rank, potentials.total, floor)) {
                drops_any = true;
            }
            return true;
        };
    });
    return is_whole ? std::optional<bool>(drops_any) : std::nullopt;
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

/// A sum that the processor need not wait for, over words of several ranks; equal
/// hashes are compared in full.
std::uint64_t hash_of(const SplitColumn& column) {
    const std::uint64_t turn = is_turned(column) ? 0x0001000100010001u : 0;
    return column.ranks.visit([&](const auto ranks) {
        std::uint64_t hash = 0, factor = 1;
        const auto add = [&](std::uint64_t word) {
            factor += 0x9e3779b97f4a7c15u;
            const auto product = static_cast<unsigned __int128>(word) * factor;
            hash += static_cast<std::uint64_t>(product >> 64) ^
                    static_cast<std::uint64_t>(product);
        };
        constexpr std::size_t n_in_word = sizeof turn / sizeof ranks[0];
        std::size_t at = 0;
        for (; at + n_in_word <= ranks.size(); at += n_in_word) {
            std::uint64_t word = 0;
            std::memcpy(&word, ranks.data() + at, sizeof word);
            add(word ^ turn);
        }
        for (; at < ranks.size(); ++at) add(ranks[at] ^ (turn & 1));
        return hash;
    });
}

bool split_alike(const SplitColumn& a, const SplitColumn& b) {
    const std::uint32_t turn = is_turned(a) != is_turned(b) ? 1 : 0;
    return a.ranks.visit([&](const auto of_a) {
        return b.ranks.visit([&](const auto of_b) {
            std::uint32_t differing = 0;  // almost never: so there is no way out
            for (std::size_t row = 0; row < of_a.size(); ++row) {
                differing |= of_a[row] ^ of_b[row] ^ turn;
            }
            return differing == 0;
        });
    });
}

}  // namespace

std::optional<MergedRows> drop_useless_cuts(Vector<SplitColumn>& columns,
                                            GroupMasses of_rows, LabelLosses& losses,
                                            Weight floor, const SharedLoop& loop) {
    const StopCheck& is_stopped = loop.is_stopped();
    MemoryBudget& memory = columns.get_allocator().budget();
    const std::size_t n_rows = of_rows.size();
    std::optional<GroupMasses> merged_masses;
    Groups groups = keep_rows_apart(n_rows, memory);
    std::optional<Vector<std::uint64_t>> hashes;
    Potentials potentials(memory);
    // Merging only lowers potentials, so cuts only disappear until nothing changes.
    for (;;) {
        const GroupMasses& masses = merged_masses ? *merged_masses : of_rows;
        auto spans = spans_of(masses, losses, is_stopped);
        if (!spans) return {};
        potentials.read(*spans);
        const auto drops_any =
            drop_cuts_of_all(columns, potentials, groups, floor, loop);
        if (!drops_any) return {};
        bool is_stable = !*drops_any;
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
