#include "search/pair_scan.hpp"

#include <algorithm>

#include "bounds/pairs_close.hpp"
#include "search/cut_choice.hpp"

namespace ostrya {

template <class Sum>
PairScan<Sum>::PairScan(const SearchContext& context, const Switches& switches,
                        const NodeBuilder<Sum>& builder)
    : plan(context.problem, switches, context.tuning()),
      problem_(context.problem),
      switches_(switches),
      reader_(builder.reader()),
      kernels_(builder.kernels()),
      pool_(context.facts.pool),
      statistics_(context.statistics),
      stop_(context.stop),
      counter_(builder, context.memory),
      pair_tree_(reader_, counter_, pool_),
      tables_(reader_, context.memory),
      cuts_(context.memory),
      distances_(context.memory) {}

template <class Sum>
void PairScan<Sum>::scan_singles(Level<Sum>& level, Bracket& best) {
    ++statistics_.first_scans;
    const Node<Sum>& node = level.node;
    const CostScale& scale = problem_.scale;
    const std::uint32_t width = node.splits.width;
    SplitLosses<Sum>& losses = level.losses;
    level.bounds.reset(node, reader_.potential(node.rows.total.data(), 1));
    losses.reset(width);
    reader_.side_losses(node.splits.yes.data(), width, node.rows.total.data(), width,
                        losses.yes.data(), losses.no.data());
    std::uint32_t best_split = none;
    Cost best_cost = best.upper;
    for (std::uint32_t split = 0; split < width; ++split) {
        if (!node.splits.is_split[split]) {
            level.bounds.start(split, 0, 0, 0);
            continue;
        }
        losses.seen[split] = Seen::single;
        const Weight yes = losses.yes[split], no = losses.no[split];
        level.bounds.start(split,
                           reader_.potential(node.splits.yes.data() + split, width),
                           std::min(scale.cost(yes, 1), 2 * scale.penalty),
                           std::min(scale.cost(no, 1), 2 * scale.penalty));
        const Cost cost = scale.cost(yes + no, 2);
        if (cost < best_cost) {
            best_cost = cost;
            best_split = split;
        }
    }
    if (best_split != none) {
        best.lower_to(best_cost,
                      Subtree::join(pool_, node.splits.names[best_split], {}, {}));
    }
}

template <class Sum>
BestPair PairScan<Sum>::scan_pairs(Level<Sum>& level, Limits limits, Cost goal,
                                   ScanEffort& effort) {
    level.losses.reset_pairs();
    BestPair found;
    if (level.node.uses_tables) {
        scan_tables(level, limits, effort, found);
        return found;
    }
    scan_bits(level, limits, goal, effort, found);
    for (std::uint32_t index = 0; index < level.node.histograms.size(); ++index) {
        scan_histogram(level, index, limits, goal, effort, found);
    }
    return found;
}

/// Bit columns against each other: every unordered pair is counted once and serves
/// both splits. A column that cannot be a first split is set aside; it stays a second
/// split of the others.
template <class Sum>
void PairScan<Sum>::scan_bits(Level<Sum>& level, Limits limits, Cost goal,
                              ScanEffort& effort, BestPair& found) {
    const Node<Sum>& node = level.node;
    const std::size_t nanoseconds =
        plan.pair_nanoseconds(node, true, plan.may_use_blocks(limits));
    counter_.clear_aside();
    std::uint32_t end = node.bits.n;
    while (end > 0 && level.bounds.rest(end - 1) >= goal) --end;
    for (std::uint32_t split = 0; split < end; ++split) {
        if (level.bounds.rest(split) >= std::min(goal, found.cost)) {
            counter_.set_aside(node, split);
            continue;
        }
        if (is_stopped(node, nanoseconds) || !effort.spend(plan.pair_cells(node)))
            return;
        scan_bit(level, split, limits);
        const Cost cost = note_pairs(level, split, limits, found);
        compare_splits(level, split, std::min(cost, level.bounds.rest(split)),
                       std::min(goal, found.cost));
    }
}

template <class Sum>
void PairScan<Sum>::scan_bit(Level<Sum>& level, std::uint32_t split, Limits limits) {
    const Node<Sum>& node = level.node;
    SplitLosses<Sum>& losses = level.losses;
    const bool has_cells = plan.needs_cells(limits),
               by_blocks = plan.may_use_blocks(limits);
    const auto pair = has_cells ? kernels_.pair_bounds : kernels_.pair_losses;
    const auto pair_both =
        has_cells ? kernels_.pair_bounds_both : kernels_.pair_losses_both;
    ++statistics_.pair_rows;
    // Columns before this one have met it already; kernels start at whole vectors.
    const std::uint32_t from = split / 16 * 16;
    counter_.start_bit(node, split, by_blocks);
    counter_.count_bits(node, from);
    losses.lower_pairs(split,
                       pair_both(counter_.row(node, split, from, node.bits.stride),
                                 losses.pairs_from(from)));
    if (counter_.n_aside() > 0) {
        losses.lower_pairs(split, pair(counter_.row_aside(node, split)));
    }
    if (node.histograms.empty()) return;
    if (by_blocks) {
        ChildBest<Sum> best{losses.yes_two[split], losses.no_two[split]};
        counter_.lower_by_blocks(node, split, best);
        count_swept();
        losses.lower_pairs(split, best);
    } else {
        counter_.count_cells(node);
        losses.lower_pairs(split, pair(counter_.row(node, split, node.bits.stride,
                                                    node.splits.width)));
    }
}

/// Cuts of a histogram column, a few at a time: what is learned at one cut often
/// settles its neighbours (B4, B5), so each round scans cuts from the middles of the
/// stretches still open.
template <class Sum>
void PairScan<Sum>::scan_histogram(Level<Sum>& level, std::uint32_t index,
                                   Limits limits, Cost goal, ScanEffort& effort,
                                   BestPair& found) {
    const Node<Sum>& node = level.node;
    const HistogramColumn& column = node.histograms.columns[index];
    const bool by_blocks = plan.may_use_blocks(limits);
    const std::size_t nanoseconds = plan.pair_nanoseconds(node, false, by_blocks);
    // Where pairs settle nothing, a few cuts are looked at for the sake of a good first
    // tree.
    const bool is_idle = plan.samples_cuts(node, limits, goal);
    bool goes_up = false;
    for (bool is_first = true; is_first || !is_idle; is_first = false) {
        choose_cuts(level, column, std::min(goal, found.cost), by_blocks ? 8 : 1,
                    cuts_);
        if (is_idle) thin_out(cuts_, plan.idle_cuts());
        if (cuts_.empty()) return;
        if (is_first) counter_.start_column(node, index, by_blocks);
        // Back and forth: each round starts where the last one ended.
        if (goes_up) std::reverse(cuts_.begin(), cuts_.end());
        goes_up = !goes_up;
        for (const std::uint32_t cut : cuts_) {
            const std::uint32_t split = node.first_split(column) + cut;
            if (level.bounds.rest(split) >= std::min(goal, found.cost)) continue;
            if (is_stopped(node, nanoseconds) || !effort.spend(plan.pair_cells(node)))
                return;
            counter_.move_to(node, cut);
            scan_cut(level, split, limits);
            note_pairs(level, split, limits, found);
        }
    }
}

template <class Sum>
void PairScan<Sum>::scan_cut(Level<Sum>& level, std::uint32_t split, Limits limits) {
    const Node<Sum>& node = level.node;
    const auto pair =
        plan.needs_cells(limits) ? kernels_.pair_bounds : kernels_.pair_losses;
    ++statistics_.pair_rows;
    counter_.count_bits(node, 0);
    if (plan.may_use_blocks(limits)) {
        ChildBest<Sum> best = pair(counter_.row(node, split, 0, node.bits.stride));
        counter_.lower_by_blocks(node, split, best);
        count_swept();
        level.losses.set_pairs(split, best);
    } else {
        counter_.count_cells(node);
        level.losses.set_pairs(split,
                               pair(counter_.row(node, split, 0, node.splits.width)));
    }
}

/// Every pair of splits of the node, whatever the goal.
template <class Sum>
void PairScan<Sum>::scan_tables(Level<Sum>& level, Limits limits, ScanEffort& effort,
                                BestPair& found) {
    const Node<Sum>& node = level.node;
    if (node.histograms.empty() || !effort.spend(plan.pair_cells(node))) return;
    if (!tables_.scan(node, plan.needs_cells(limits), level.losses.pairs_from(0),
                      [&] { return is_stopped(node); })) {
        return;
    }
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!node.splits.is_split[split]) continue;
        ++statistics_.pair_rows;
        note_pairs(level, split, limits, found);
    }
}

template <class Sum>
bool PairScan<Sum>::solve_children(const Level<Sum>& level, std::uint64_t most_bytes,
                                   typename Tables<Sum>::Children& children) {
    return tables_.solve_children(level.node, level.partition.mask(), problem_.scale,
                                  most_bytes, children,
                                  [&] { return is_stopped(level.node); });
}

/// Note what the pairs of one first split say; the cost of its best depth-two tree.
template <class Sum>
Cost PairScan<Sum>::note_pairs(Level<Sum>& level, std::uint32_t split, Limits limits,
                               BestPair& found) {
    level.losses.seen[split] = Seen::pairs;
    const ChildCosts yes = costs_of(level.losses.of_child(split, true), limits.child());
    const ChildCosts no = costs_of(level.losses.of_child(split, false), limits.child());
    Cost cost = yes.shallow() + no.shallow();
    if (limits.leaves == 3) {
        cost = std::min(yes.leaf + no.shallow(), yes.shallow() + no.leaf);
    }
    if (cost < found.cost) found = {cost, split};
    if (level.node.uses_tables) {
        level.bounds.raise_both(split, yes.lower(), no.lower());
    } else {
        level.bounds.raise(split, true, yes.lower());
        level.bounds.raise(split, false, no.lower());
    }
    level.bounds.raise_rest(split, deeper_lower(yes, no, switches_.pairs_close));
    return cost;
}

/// B5 between bit columns: moving from one first split to another, the rows on which
/// they differ lose at most their potential. Only worth a look when it can settle
/// something, and only for columns whose turn has not come.
template <class Sum>
void PairScan<Sum>::compare_splits(Level<Sum>& level, std::uint32_t split, Cost lower,
                                   Cost goal) {
    const Switch& similar = switches_.similar_support;
    if (!similar.is_on || lower + similar.slip <= goal) return;
    const Node<Sum>& node = level.node;
    const std::uint32_t from = (split + 1) / 16 * 16;
    distances_.resize(node.bits.stride);
    kernels_.distances(counter_.row(node, split, from, node.bits.stride),
                       distances_.data() + from);
    for (std::uint32_t other = split + 1; other < node.bits.n; ++other) {
        level.bounds.raise_rest(
            other, similar_lower(lower, distances_[other], problem_.scale, similar));
    }
}

template <class Sum>
void PairScan<Sum>::scan_split(Level<Sum>& level, std::uint32_t split, Limits limits) {
    counter_.count_pairs(level.node, split);
    level.losses.set_pairs(split, kernels_.pair_bounds(counter_.row(
                                      level.node, split, 0, level.node.splits.width)));
    BestPair ignored;
    note_pairs(level, split, limits, ignored);
}

template <class Sum>
Subtree PairScan<Sum>::tree_of(const Level<Sum>& level, const BestPair& pair) {
    const auto child = [&](bool is_yes) -> ScannedChild {
        const ChildLosses losses = level.losses.of_child(pair.split, is_yes);
        return {costs_of(losses, {}), losses.two};
    };
    return pair_tree_.find(level.node, pair.split, pair.cost, child(true),
                           child(false));
}

template class PairScan<std::int32_t>;
template class PairScan<std::int64_t>;

}  // namespace ostrya
