/// The last two levels: every second split is counted at once, and no node is built.
#include <algorithm>

#include "top_k/top_k_solver.hpp"

namespace ostrya {

/// Candidates with one split at most on both sides; the least that any of them costs.
template <class Nodes>
Cost TopKSolver<Nodes>::try_pairs(std::size_t depth, Limits limits, Cost budget,
                                  Bracket& best) {
    const Level& level = level_at(depth);
    Cost least = unreachable;
    for (std::size_t place = 0; place < level.candidates.size(); ++place) {
        const std::uint32_t split = level.candidates[place];
        if (stop_.is_up()) return 2 * problem_.grid.penalty;
        const Cost cap = std::min(budget, best.upper);
        const Cost lower =
            side_lower(level.node, split, true) + side_lower(level.node, split, false);
        if (lower >= cap) {
            least = std::min(least, lower);
        } else if (!is_repeated(level, place)) {
            least = std::min(
                least, try_pair(level, split, limits, width_at(depth + 1), cap, best));
        }
    }
    return least;
}

/// True when an earlier candidate has the same sides. Such candidates have the same
/// score, so they stand next to each other but for others of that score.
template <class Nodes>
bool TopKSolver<Nodes>::is_repeated(const Level& level, std::size_t place) const {
    const Node& node = level.node;
    const std::uint32_t split = level.candidates[place];
    if (split >= node.bit_stride) return false;
    for (std::size_t at = 0; at < place; ++at) {
        const std::uint32_t other = level.candidates[at];
        if (other >= node.bit_stride) continue;
        if (node.yes[split] != node.yes[other] ||
            node.yes[node.width + split] != node.yes[node.width + other]) {
            continue;
        }
        bool is_same = true;
        for (std::uint32_t word = 0; is_same && word < node.n_words; ++word) {
            const std::uint64_t* bits = node.bits.data() + word * node.bit_stride;
            is_same = bits[split] == bits[other];
        }
        if (is_same) return true;
    }
    return false;
}

/// One candidate: counting all second splits bounds both sides, whatever k is; only
/// where that is below `cap` are the second splits ranked.
template <class Nodes>
Cost TopKSolver<Nodes>::try_pair(const Level& level, std::uint32_t split, Limits limits,
                                 std::uint32_t k, Cost cap, Bracket& best) {
    const Node& node = level.node;
    ++statistics_.pair_rows;
    nodes_.counter.count_pairs(node, split);
    const ChildBest<Sum> bound = nodes_.builder.kernels().pair_losses(
        nodes_.counter.row(node, split, 0, node.width));
    Stump yes = bound_stump(node, split, true, bound.yes_two);
    Stump no = bound_stump(node, split, false, bound.no_two);
    const auto together = [&] {
        if (limits.leaves != 3) return yes.cost() + no.cost();
        return std::min(yes.leaf + no.cost(), yes.cost() + no.leaf);
    };
    if (together() >= cap) return together();
    grow_stump(node, split, true, k, yes);
    if (together() >= cap) return together();
    grow_stump(node, split, false, k, no);
    const Cost cost = together();
    if (cost >= best.upper) return cost;
    bool splits_yes = yes.two < yes.leaf, splits_no = no.two < no.leaf;
    if (cost != yes.cost() + no.cost()) {  // three leaves allowed, not four
        splits_yes = splits_yes && cost == yes.two + no.leaf;
        splits_no = splits_no && !splits_yes;
    }
    const auto subtree = [&](const Stump& stump, bool is_split) {
        return is_split ? Subtree::join(pool_, node.splits[stump.split], {}, {})
                        : Subtree();
    };
    best.lower_to(cost,
                  Subtree::join(pool_, node.splits[split], subtree(yes, splits_yes),
                                subtree(no, splits_no)));
    return cost;
}

/// A side by the least loss of any two leaves: a bound, until it is grown.
template <class Nodes>
auto TopKSolver<Nodes>::bound_stump(const Node& node, std::uint32_t split, bool yes,
                                    Sum two) const -> Stump {
    Stump stump;
    stump.leaf = problem_.grid.of(side_loss(node, split, yes), 1);
    if (two < no_loss<Sum>) stump.two = problem_.grid.of(two, 2);
    return stump;
}

/// The best split of a side among its k best by impurity, if a split may pay at all.
template <class Nodes>
void TopKSolver<Nodes>::grow_stump(const Node& node, std::uint32_t split, bool yes,
                                   std::uint32_t k, Stump& stump) {
    if (stump.two >= stump.leaf) return;
    const SumReader<Sum>& reader = nodes_.reader();
    const std::uint32_t slots = reader.size();
    const Sum* sums = nodes_.counter.both().data();
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const Sum first = node.yes[slot * node.width + split];
        side_total_[slot] = yes ? first : node.total[slot] - first;
    }
    if (!yes) {
        side_.resize(static_cast<std::size_t>(slots) * node.width);
        for (std::size_t at = 0; at < side_.size(); ++at) {
            side_[at] = node.yes[at] - sums[at];
        }
        sums = side_.data();
    }
    has_left_out_ |= nodes_.candidates.choose(
        node, {sums, node.width, side_total_.data()}, k, second_);
    stump.two = unreachable;
    std::vector<Sum>& rest = side_rest_;
    rest.resize(slots);
    for (const std::uint32_t second : second_) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            rest[slot] = side_total_[slot] - sums[slot * node.width + second];
        }
        const Cost cost = problem_.grid.of(
            reader.loss(sums + second, node.width) + reader.loss(rest.data(), 1), 2);
        if (cost < stump.two) {
            stump.two = cost;
            stump.split = second;
        }
    }
}

template Cost TopKSolver<CutNodes<std::int32_t>>::try_pairs(std::size_t, Limits, Cost,
                                                            Bracket&);
template Cost TopKSolver<CutNodes<std::int64_t>>::try_pairs(std::size_t, Limits, Cost,
                                                            Bracket&);

}  // namespace ostrya
