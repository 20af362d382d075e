#include "search/pair_tree.hpp"

#include <cassert>
#include <utility>
#include <vector>

namespace ostrya {

template <class Sum>
Subtree PairTree<Sum>::find(const Node<Sum>& node, std::uint32_t first, Cost cost,
                            const ScannedChild& yes, const ScannedChild& no) {
    bool splits_yes = yes.costs.two < yes.costs.leaf;
    bool splits_no = no.costs.two < no.costs.leaf;
    if (cost != yes.costs.shallow() + no.costs.shallow()) {
        splits_yes = splits_yes && cost == yes.costs.two + no.costs.leaf;
        splits_no = splits_no && !splits_yes;
    }
    counter_.count_pairs(node, first);
    const auto below = [&](bool is_yes, const ScannedChild& child) {
        const std::uint32_t second = second_split(node, first, is_yes, child.two_loss);
        return Subtree::join(pool_, node.splits.names[second], {}, {});
    };
    return Subtree::join(pool_, node.splits.names[first],
                         splits_yes ? below(true, yes) : Subtree(),
                         splits_no ? below(false, no) : Subtree());
}

/// The second split of a child: the first, by column and cut, with the loss that the
/// scan promised.
template <class Sum>
std::uint32_t PairTree<Sum>::second_split(const Node<Sum>& node, std::uint32_t first,
                                          bool is_yes, Weight two_loss) const {
    const std::uint32_t slots = reader_.size();
    const std::size_t width = node.splits.width;
    const Sum* both = counter_.both().data();
    std::vector<Sum> all(slots), in(slots), out(slots);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        all[slot] = node.side_sum(slot, first, is_yes);
    }
    std::uint32_t best = none;
    const auto place = [&](std::uint32_t at) {
        return std::pair(node.splits.names[at].column, node.splits.names[at].cut);
    };
    for (std::uint32_t split = 0; split < width; ++split) {
        if (!node.splits.is_split[split]) continue;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const Sum of_both = both[slot * width + split];
            in[slot] = is_yes ? of_both : node.splits.sum(slot, split) - of_both;
            out[slot] = all[slot] - in[slot];
        }
        if (reader_.loss(in.data(), 1) + reader_.loss(out.data(), 1) != two_loss) {
            continue;
        }
        if (!reader_.may_be_leaf(in.data(), 1) || !reader_.may_be_leaf(out.data(), 1)) {
            continue;
        }
        if (best == none || place(split) < place(best)) best = split;
    }
    assert(best != none);
    return best;
}

template class PairTree<std::int32_t>;
template class PairTree<std::int64_t>;

}  // namespace ostrya
