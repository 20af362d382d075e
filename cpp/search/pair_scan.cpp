/// The two scans of a node: single splits, and pairs of splits.
#include <algorithm>
#include <limits>

#include "bounds/pairs_close.hpp"
#include "search/solver.hpp"

namespace ostrya {
namespace {

/// Cuts of a column that are scanned where pairs prove nothing.
constexpr std::size_t idle_cuts = 16;

/// Keep `n` evenly spaced cuts, or all if there are fewer.
void thin_out(std::vector<std::uint32_t>& cuts, std::size_t n) {
    if (cuts.size() <= n) return;
    const std::size_t step = (cuts.size() + n - 1) / n;
    std::size_t kept = 0;
    for (std::size_t at = step / 2; at < cuts.size(); at += step) {
        cuts[kept++] = cuts[at];
    }
    cuts.resize(kept);
}

}  // namespace

/// Scan 1: both children of every split as leaves.
template <class Sum>
void Solver<Sum>::scan_singles(LevelT& level, Bracket& best) {
    ++statistics_.first_scans;
    const Node<Sum>& node = level.node;
    const SumReader<Sum>& reader = builder_.reader();
    const Grid& grid = problem_.grid;
    level.bounds.reset(node, reader.potential(node.total.data(), 1));
    level.seen.assign(node.width, Seen::no_split);
    level.yes_loss.resize(node.width);
    level.no_loss_.resize(node.width);
    reader.side_losses(node.yes.data(), node.width, node.total.data(), node.width,
                       level.yes_loss.data(), level.no_loss_.data());
    std::uint32_t best_split = none;
    Cost best_cost = best.upper;
    for (std::uint32_t split = 0; split < node.width; ++split) {
        if (!node.is_split[split]) continue;
        level.seen[split] = Seen::single;
        const Weight yes_loss = level.yes_loss[split], no_loss = level.no_loss_[split];
        level.bounds.start(split, reader.potential(node.yes.data() + split, node.width),
                           std::min(grid.of(yes_loss, 1), 2 * grid.penalty),
                           std::min(grid.of(no_loss, 1), 2 * grid.penalty));
        const Cost cost = grid.of(yes_loss + no_loss, 2);
        if (cost < best_cost) {
            best_cost = cost;
            best_split = split;
        }
    }
    if (best_split != none) {
        best.lower_to(best_cost, Subtree::join(pool_, node.splits[best_split], {}, {}));
    }
}

/// Scan 2: for every first split that may still matter, the best second splits.
template <class Sum>
auto Solver<Sum>::scan_pairs(LevelT& level, Limits limits, Cost goal) -> Found {
    level.reset_pairs();
    Found found;
    if (level.node.has_cross_tables) {
        scan_tables(level, limits, found);
        return found;
    }
    scan_bit_pairs(level, limits, goal, found);
    for (std::uint32_t index = 0; index < level.node.histograms.size(); ++index) {
        scan_histogram_pairs(level, index, limits, goal, found);
    }
    return found;
}

/// Bit columns against each other: every unordered pair is counted once and serves
/// both splits. A column that cannot be a first split is set aside; it stays a second
/// split of the others.
template <class Sum>
void Solver<Sum>::scan_bit_pairs(LevelT& level, Limits limits, Cost goal,
                                 Found& found) {
    const Node<Sum>& node = level.node;
    const Kernels<Sum>& kernels = builder_.kernels();
    const auto pair = needs_cells(limits) ? kernels.pair_bounds : kernels.pair_losses;
    const bool by_blocks = may_use_blocks(limits);
    const auto pair_both =
        needs_cells(limits) ? kernels.pair_bounds_both : kernels.pair_losses_both;
    counter_.clear_aside();
    std::uint32_t end = node.n_bits;
    while (end > 0 && level.bounds.rest(end - 1) >= goal) --end;
    const auto lower = [&](std::uint32_t split, const ChildBest<Sum>& best) {
        level.yes_two[split] = std::min(level.yes_two[split], best.yes_two);
        level.no_two[split] = std::min(level.no_two[split], best.no_two);
        level.yes_cell[split] = std::min(level.yes_cell[split], best.yes_cell);
        level.no_cell[split] = std::min(level.no_cell[split], best.no_cell);
    };
    for (std::uint32_t split = 0; split < end; ++split) {
        if (level.bounds.rest(split) >= std::min(goal, found.cost)) {
            counter_.set_aside(node, split);
            continue;
        }
        if (is_stopped(node) || !may_look_at(node.width)) return;
        ++statistics_.pair_rows;
        const std::uint32_t from = split / 16 * 16;
        counter_.take_bit_column(node, split, by_blocks);
        counter_.count_bits(node, from);
        lower(split,
              pair_both(counter_.row(node, split, from, node.bit_stride),
                        {level.yes_two.data() + from, level.no_two.data() + from,
                         level.yes_cell.data() + from, level.no_cell.data() + from}));
        if (counter_.n_aside() > 0) {
            lower(split, pair(counter_.row_aside(node, split)));
        }
        if (node.n_cells > 0 && by_blocks) {
            ChildBest<Sum> best{level.yes_two[split], level.no_two[split]};
            counter_.lower_by_blocks(node, split, best);
            lower(split, best);
        } else if (node.n_cells > 0) {
            counter_.count_cells(node);
            lower(split, pair(counter_.row(node, split, node.bit_stride, node.width)));
        }
        const Cost cost = note_pairs(level, split, limits, found);
        compare_splits(level, split, std::min(cost, level.bounds.rest(split)),
                       std::min(goal, found.cost));
    }
}

/// Cuts of a histogram column, a few at a time: what is learned at one cut often
/// settles its neighbours (B4, B5), so each round takes cuts from the middles of the
/// stretches still open.
template <class Sum>
void Solver<Sum>::scan_histogram_pairs(LevelT& level, std::uint32_t index,
                                       Limits limits, Cost goal, Found& found) {
    const Node<Sum>& node = level.node;
    const std::uint32_t first = node.bit_stride + node.histograms[index].first;
    const auto pair = needs_cells(limits) ? builder_.kernels().pair_bounds
                                          : builder_.kernels().pair_losses;
    const bool by_blocks = may_use_blocks(limits);
    // Eight penalties are the most that pairs can prove of a deeper split. Where that
    // settles nothing, a few cuts are looked at for the sake of a good first tree.
    const bool is_idle = needs_cells(limits) && goal > 8 * problem_.grid.penalty;
    bool goes_up = false;
    for (bool is_first = true; is_first || !is_idle; is_first = false) {
        choose_cuts(level, index, std::min(goal, found.cost), by_blocks ? 8 : 1);
        if (is_idle) thin_out(chosen_cuts_, idle_cuts);
        if (chosen_cuts_.empty()) return;
        if (is_first) counter_.take_histogram(node, index, by_blocks);
        // Back and forth: each round starts where the last one ended.
        if (goes_up) std::reverse(chosen_cuts_.begin(), chosen_cuts_.end());
        goes_up = !goes_up;
        for (const std::uint32_t cut : chosen_cuts_) {
            const std::uint32_t split = first + cut;
            if (level.bounds.rest(split) >= std::min(goal, found.cost)) continue;
            if (stop_.is_up() || !may_look_at(node.width)) return;
            ++statistics_.pair_rows;
            counter_.move_to(node, cut);
            counter_.count_bits(node, 0);
            ChildBest<Sum> best;
            if (by_blocks) {
                best = pair(counter_.row(node, split, 0, node.bit_stride));
                counter_.lower_by_blocks(node, split, best);
            } else {
                counter_.count_cells(node);
                best = pair(counter_.row(node, split, 0, node.width));
            }
            level.yes_two[split] = best.yes_two;
            level.no_two[split] = best.no_two;
            level.yes_cell[split] = best.yes_cell;
            level.no_cell[split] = best.no_cell;
            note_pairs(level, split, limits, found);
        }
    }
}

/// Fill chosen_cuts_ with open cuts, ascending: all of them when a round costs more
/// than evaluating them, else evenly spaced ones. `speed` is how many cells of a row
/// of pairs are passed over for one that is looked at.
template <class Sum>
void Solver<Sum>::choose_cuts(const LevelT& level, std::uint32_t index, Cost goal,
                              std::size_t speed) {
    const Node<Sum>& node = level.node;
    const HistogramColumn& column = node.histograms[index];
    const std::uint32_t first = node.bit_stride + column.first;
    chosen_cuts_.clear();
    for (std::uint32_t cut = 0; cut < column.n_cuts; ++cut) {
        if (level.seen[first + cut] == Seen::single &&
            level.bounds.rest(first + cut) < goal) {
            chosen_cuts_.push_back(cut);
        }
    }
    // A round adds every row to every histogram; a cut reads every cell.
    const std::size_t round =
        static_cast<std::size_t>(node.n_rows) * node.histograms.size();
    const std::size_t worth =
        std::max<std::size_t>(1, speed * round / (2 * node.width));
    thin_out(chosen_cuts_, worth);
}

template <class Sum>
ChildCosts Solver<Sum>::costs_of(const ChildLosses& losses, Limits child_limits) const {
    ChildCosts costs = child_costs(losses, problem_.grid, switches_.look_ahead);
    // Where a child cannot have three leaves, the scan has seen all of its trees.
    if (switches_.pairs_close.is_on && child_limits.reachable_depth() < 2) {
        costs.more = unreachable;
    }
    return costs;
}

/// Blocks of cells give losses, not the cells that bounds of deeper children need.
template <class Sum>
bool Solver<Sum>::may_use_blocks(Limits limits) const {
    return builder_.reader().layout().is_binary() && !needs_cells(limits);
}

/// Whether lower bounds of deeper children are wanted, or depth two is the end.
template <class Sum>
bool Solver<Sum>::needs_cells(Limits limits) const {
    return !switches_.pairs_close.is_on || limits.child().reachable_depth() >= 2;
}

/// Take in what the pairs of one first split say; the cost of its best depth-two tree.
template <class Sum>
Cost Solver<Sum>::note_pairs(LevelT& level, std::uint32_t split, Limits limits,
                             Found& found) {
    level.seen[split] = Seen::pairs;
    const ChildCosts yes = costs_of(level.yes_losses(split), limits.child());
    const ChildCosts no = costs_of(level.no_losses(split), limits.child());
    Cost cost = yes.shallow() + no.shallow();
    if (limits.leaves == 3) {
        cost = std::min(yes.leaf + no.shallow(), yes.shallow() + no.leaf);
    }
    if (cost < found.cost) found = {cost, split};
    if (level.node.has_cross_tables) {
        level.bounds.take_over(split, yes.lower(), no.lower());
    } else {
        level.bounds.raise_yes(split, yes.lower());
        level.bounds.raise_no(split, no.lower());
    }
    level.bounds.raise_rest(split, deeper_lower(yes, no, switches_.pairs_close));
    return cost;
}

/// B5 between bit columns: moving from one first split to another, the rows on which
/// they differ lose at most their potential. Only worth a look when it can settle
/// something, and only for columns whose turn has not come.
template <class Sum>
void Solver<Sum>::compare_splits(LevelT& level, std::uint32_t split, Cost lower,
                                 Cost goal) {
    const Switch& similar = switches_.similar_support;
    if (!similar.is_on || lower + similar.slip <= goal) return;
    const Node<Sum>& node = level.node;
    const std::uint32_t from = (split + 1) / 16 * 16;
    distances_.resize(node.bit_stride);
    builder_.kernels().distances(counter_.row(node, split, from, node.bit_stride),
                                 distances_.data() + from);
    for (std::uint32_t other = split + 1; other < node.n_bits; ++other) {
        level.bounds.raise_rest(
            other, similar_lower(lower, distances_[other], problem_.grid, similar));
    }
}

template bool Solver<std::int32_t>::needs_cells(Limits) const;
template bool Solver<std::int64_t>::needs_cells(Limits) const;
template void Solver<std::int32_t>::scan_singles(LevelT&, Bracket&);
template auto Solver<std::int32_t>::scan_pairs(LevelT&, Limits, Cost) -> Found;
template ChildCosts Solver<std::int32_t>::costs_of(const ChildLosses&, Limits) const;
template Cost Solver<std::int32_t>::note_pairs(LevelT&, std::uint32_t, Limits, Found&);
template Cost Solver<std::int64_t>::note_pairs(LevelT&, std::uint32_t, Limits, Found&);
template void Solver<std::int64_t>::scan_singles(LevelT&, Bracket&);
template auto Solver<std::int64_t>::scan_pairs(LevelT&, Limits, Cost) -> Found;
template ChildCosts Solver<std::int64_t>::costs_of(const ChildLosses&, Limits) const;

}  // namespace ostrya
