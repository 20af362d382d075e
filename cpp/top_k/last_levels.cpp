#include "top_k/last_levels.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
Cost LastLevels<CutNodes<Sum>>::try_pairs(std::size_t depth, Limits limits, Cost budget,
                                          Bracket& best) {
    const Level& level = branching_.level_at(depth);
    Cost least = unreachable;
    for (std::size_t place = 0; place < level.candidates.size(); ++place) {
        const std::uint32_t split = level.candidates[place];
        if (stop_.is_up()) return 2 * level.problem.scale.penalty;
        const Cost cap = std::min(budget, best.upper);
        const Cost lower = level.split_lower(split);
        if (lower >= cap) {
            least = std::min(least, lower);
        } else if (!is_repeated(level, place)) {
            // Counts the work.
            stop_.is_up_before(level.n_cells(), level.node.nanoseconds());
            least = std::min(
                least, try_pair(level, split, width_.at(depth + 1), limits, cap, best));
        }
    }
    return least;
}

/// True when an earlier candidate has the same sides as the one at `place`. Such
/// candidates have the same score, so they stand next to each other but for others of
/// that score.
template <class Sum>
bool LastLevels<CutNodes<Sum>>::is_repeated(const Level& level, std::size_t place) {
    const Node<Sum>& node = level.node;
    const Vector<std::uint32_t>& candidates = level.candidates;
    const std::uint32_t split = candidates[place];
    if (!node.is_bit(split)) return false;
    for (std::size_t at = 0; at < place; ++at) {
        const std::uint32_t other = candidates[at];
        if (!node.is_bit(other)) continue;
        if (node.splits.sum(0, split) != node.splits.sum(0, other) ||
            node.splits.sum(1, split) != node.splits.sum(1, other)) {
            continue;
        }
        bool is_same = true;
        for (std::uint32_t word = 0; is_same && word < node.rows.n_words; ++word) {
            const std::uint64_t* bits =
                node.bits.words.data() + std::size_t{word} * node.bits.stride;
            is_same = bits[split] == bits[other];
        }
        if (is_same) return true;
    }
    return false;
}

/// One candidate with one split at most on either side, each among the `k` best of that
/// side: the least it costs. Counting all second splits bounds both sides, whatever k
/// is; only where that is below `cap` are the second splits ranked.
template <class Sum>
Cost LastLevels<CutNodes<Sum>>::try_pair(const Level& level, std::uint32_t split,
                                         std::uint32_t k, Limits limits, Cost cap,
                                         Bracket& best) {
    const Node<Sum>& node = level.node;
    ++branching_.statistics.pair_rows;
    nodes_.counter.count_pairs(node, split);
    const ChildBest<Sum> bound = nodes_.builder.kernels().pair_losses(
        nodes_.counter.row(node, split, 0, node.splits.width));
    Stump yes = bound_stump(level, split, true, bound.yes_two);
    Stump no = bound_stump(level, split, false, bound.no_two);
    const auto together = [&] {
        if (limits.leaves != 3) return yes.cost() + no.cost();
        return std::min(yes.leaf + no.cost(), yes.cost() + no.leaf);
    };
    if (together() >= cap) return together();
    width_.note(grow_stump(level, split, true, k, yes));
    if (together() >= cap) return together();
    width_.note(grow_stump(level, split, false, k, no));
    const Cost cost = together();
    if (cost >= best.upper) return cost;
    bool splits_yes = yes.two < yes.leaf, splits_no = no.two < no.leaf;
    if (cost != yes.cost() + no.cost()) {  // three leaves allowed, not four
        splits_yes = splits_yes && cost == yes.two + no.leaf;
        splits_no = splits_no && !splits_yes;
    }
    const auto subtree = [&](const Stump& stump, bool is_split) {
        return is_split ? Subtree::join(branching_.pool(),
                                        node.splits.names[stump.split], {}, {})
                        : Subtree();
    };
    best.lower_to(cost,
                  Subtree::join(branching_.pool(), node.splits.names[split],
                                subtree(yes, splits_yes), subtree(no, splits_no)));
    return cost;
}

/// A side by the least loss of any two leaves: a bound, until it is grown.
template <class Sum>
auto LastLevels<CutNodes<Sum>>::bound_stump(const Level& level, std::uint32_t split,
                                            bool yes, Sum two) const -> Stump {
    Stump stump;
    stump.leaf = level.side_cost(split, yes);
    if (two < unreachable_loss<Sum>) stump.two = level.problem.scale.cost(two, 2);
    return stump;
}

/// The best split of a side among its k best by impurity, if a split may pay at all;
/// true when others were left out.
template <class Sum>
bool LastLevels<CutNodes<Sum>>::grow_stump(const Level& level, std::uint32_t split,
                                           bool yes, std::uint32_t k, Stump& stump) {
    if (stump.two >= stump.leaf) return false;
    const Node<Sum>& node = level.node;
    const SumReader<Sum>& reader = nodes_.reader();
    const std::uint32_t slots = reader.size(), width = node.splits.width;
    const Sum* sums = nodes_.counter.both().data();
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        side_total_[slot] = node.side_sum(slot, split, yes);
    }
    if (!yes) {
        side_.resize(std::size_t{slots} * width);
        for (std::size_t at = 0; at < side_.size(); ++at) {
            side_[at] = node.splits.yes[at] - sums[at];
        }
        sums = side_.data();
    }
    const bool has_left_out =
        nodes_.candidates.choose(node, {sums, width, side_total_.data()}, k, second_);
    stump.two = unreachable;
    for (const std::uint32_t second : second_) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            side_rest_[slot] =
                side_total_[slot] - sums[std::size_t{slot} * width + second];
        }
        const Cost cost = level.problem.scale.cost(
            reader.loss(sums + second, width) + reader.loss(side_rest_.data(), 1), 2);
        if (cost < stump.two) {
            stump.two = cost;
            stump.split = second;
        }
    }
    return has_left_out;
}

template class LastLevels<CutNodes<std::int32_t>>;
template class LastLevels<CutNodes<std::int64_t>>;

}  // namespace ostrya
