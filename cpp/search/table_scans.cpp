/// Pairs of splits counted in cross tables: those of a node, or of both children of a
/// split at once.
#include <algorithm>
#include <limits>

#include "bounds/leaf_count.hpp"
#include "bounds/leaf_optimal.hpp"
#include "search/solver.hpp"

namespace ostrya {
namespace {

/// What the tables of one node may take to be kept for its children.
constexpr std::uint64_t most_table_bytes = std::uint64_t{64} << 20;

}  // namespace

/// Sums of a node's rows, of either sign, are within its potential.
template <class Sum>
bool Solver<Sum>::fits_narrow_lanes(const Node<Sum>& node) const {
    return builder_.reader().potential(node.total.data(), 1) <=
           std::numeric_limits<std::int16_t>::max();
}

/// Every pair of splits of the node, whatever the goal.
template <class Sum>
void Solver<Sum>::scan_tables(LevelT& level, Limits limits, Found& found) {
    const Node<Sum>& node = level.node;
    if (node.histograms.empty() || !may_look_at(node.width)) return;
    const auto scan_bounds = [&](auto& tables) {
        const Weight floor = builder_.reader().floor();
        if (!scan_with(tables, node,
                       [&](std::size_t at) { tables.scan_column(at, floor); })) {
            return false;
        }
        tables.report(node, {level.yes_two.data(), level.no_two.data(),
                             level.yes_cell.data(), level.no_cell.data()});
        return true;
    };
    const auto scan_losses = [&](auto& tables) {
        if (!scan_with(tables, node, [&](std::size_t at) { tables.scan_column(at); })) {
            return false;
        }
        tables.report(node, level.yes_two.data(), level.no_two.data());
        return true;
    };
    const bool is_narrow = fits_narrow_lanes(node);
    const bool is_done =
        needs_cells(limits)
            ? (is_narrow ? scan_bounds(narrow_tables_) : scan_bounds(wide_tables_))
            : (is_narrow ? scan_losses(narrow_losses_) : scan_losses(wide_losses_));
    if (!is_done) return;
    for (std::uint32_t split = 0; split < node.width; ++split) {
        if (!node.is_split[split]) continue;
        ++statistics_.pair_rows;
        note_pairs(level, split, limits, found);
    }
}

/// Count column after column; false if the search was stopped before the last.
template <class Sum>
template <class Tables, class ScanColumn>
bool Solver<Sum>::scan_with(Tables& tables, const Node<Sum>& node,
                            const ScanColumn& scan) {
    tables.take(node);
    for (std::size_t at = 0; at < tables.n_columns(); ++at) {
        if (is_stopped(node)) return false;
        scan(at);
    }
    return true;
}

/// Raise the bounds of a split to what its children cost, if two levels are left for
/// them; their trees are not built.
template <class Sum>
void Solver<Sum>::count_children(std::size_t depth, std::uint32_t split, Limits limits,
                                 Cost cap) {
    LevelT& level = level_at(depth);
    if (!level.node.has_cross_tables || limits.reachable_depth() != 2) return;
    const auto is_open = [&](bool yes) {
        const Weight loss = yes ? level.yes_loss[split] : level.no_loss_[split];
        if (leaf_is_optimal(loss, problem_.grid, switches_.leaf_optimal)) {
            const Cost leaf = problem_.grid.of(loss, 1);
            yes ? level.bounds.raise_yes(split, leaf)
                : level.bounds.raise_no(split, leaf);
            return false;
        }
        const Bracket known = memo_.find(level.parting.hash(yes), limits);
        yes ? level.bounds.raise_yes(split, known.lower)
            : level.bounds.raise_no(split, known.lower);
        return !known.is_solved() && !known.is_tight;
    };
    const bool for_yes = is_open(true), for_no = is_open(false);
    if (level.bounds.rest(split) >= cap || (!for_yes && !for_no)) return;
    fits_narrow_lanes(level.node)
        ? count_with(narrow_siblings_, depth, split, for_yes, for_no, limits)
        : count_with(wide_siblings_, depth, split, for_yes, for_no, limits);
}

template <class Sum>
template <class Tables>
void Solver<Sum>::count_with(Tables& tables, std::size_t depth, std::uint32_t split,
                             bool for_yes, bool for_no, Limits limits) {
    LevelT& level = level_at(depth);
    if (!tables.take(level.node, std::min(options_.memory() / 8, most_table_bytes))) {
        return;
    }
    tables.part(level.parting.mask());
    for (std::size_t at = 0; at < tables.n_columns(); ++at) {
        if (is_stopped(level.node)) return;
        tables.scan_column(at, for_yes, for_no);
    }
    const auto note = [&](bool yes) {
        const Cost cost = tables.best_cost(yes, problem_.grid);
        yes ? level.bounds.raise_yes(split, cost) : level.bounds.raise_no(split, cost);
        Bracket found = memo_.find(level.parting.hash(yes), limits);
        found.lower = cost;
        found.is_tight = true;
        memo_.store(level.parting.hash(yes), limits, found, 1);
        ++statistics_.subproblems;
    };
    if (for_yes) note(true);
    if (for_no) note(false);
}

template bool Solver<std::int32_t>::fits_narrow_lanes(const Node<std::int32_t>&) const;
template bool Solver<std::int64_t>::fits_narrow_lanes(const Node<std::int64_t>&) const;
template void Solver<std::int32_t>::scan_tables(LevelT&, Limits, Found&);
template void Solver<std::int64_t>::scan_tables(LevelT&, Limits, Found&);
template void Solver<std::int32_t>::count_children(std::size_t, std::uint32_t, Limits,
                                                   Cost);
template void Solver<std::int64_t>::count_children(std::size_t, std::uint32_t, Limits,
                                                   Cost);

}  // namespace ostrya
