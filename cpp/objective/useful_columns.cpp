#include "objective/useful_columns.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <type_traits>
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
void add_up(const Potentials& potentials, const Ranks& of_rows, std::uint32_t n_ranks,
            const Groups& groups, Vector<Weight>& by_rank) {
    by_rank.assign(n_ranks, 0);
    of_rows.visit([&](const auto ranks) {
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

/// The same for the column of one level, given the potential of every code.
bool drop_level(SplitColumn& column, const Vector<Weight>& potentials, Weight total,
                Weight floor) {
    if (column.cuts.empty()) return false;
    const Weight yes = potentials[column.ranks.level()];
    if (yes > floor && total - yes > floor) return false;
    column.cuts.clear();  // and with it goes the column
    return true;
}

/// The same for all columns; nothing if stopped. The levels of a categorical column
/// are summed in one pass over its codes.
std::optional<bool> drop_cuts_of_all(Vector<SplitColumn>& columns,
                                     const Potentials& potentials, const Groups& groups,
                                     Weight floor, const SharedLoop& loop) {
    MemoryBudget& memory = columns.get_allocator().budget();
    std::atomic<bool> drops_any = false;
    const Vector<ColumnRun> runs = runs_of(columns);
    const bool is_whole = loop.run(runs.size(), [&](const StopCheck&) {
        return [&, by_rank = Vector<Weight>(memory)](std::size_t at) mutable {
            SplitColumn& first = columns[runs[at].begin];
            const Codes* codes = first.ranks.codes().get();
            if (codes == nullptr) {
                add_up(potentials, first.ranks, first.n_ranks(), groups, by_rank);
                if (drop_cuts(first, by_rank, potentials.total, floor)) {
                    drops_any = true;
                }
                return true;
            }
            add_up(potentials, codes->of_row, codes->n_codes, groups, by_rank);
            for (std::size_t level = runs[at].begin; level < runs[at].end; ++level) {
                if (drop_level(columns[level], by_rank, potentials.total, floor)) {
                    drops_any = true;
                }
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

using WideRanks = std::span<const std::uint32_t>;

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
        // Columns of 16 bits and those of levels have to give the same words, for they
        // may be equal; columns of 32 bits have more ranks than any of these.
        constexpr bool is_wide = std::is_same_v<decltype(ranks), const WideRanks>;
        constexpr std::size_t n_in_word = is_wide ? 2 : 4;
        std::size_t at = 0;
        for (; at + n_in_word <= ranks.size(); at += n_in_word) {
            std::uint64_t word = 0;
            for (std::size_t place = 0; place < n_in_word; ++place) {
                word |= std::uint64_t{ranks[at + place]} << (64 / n_in_word * place);
            }
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
