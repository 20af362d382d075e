/// The tree behind the best pair of splits: scans keep costs only, so it is looked up.
#include <utility>

#include "search/solver.hpp"

namespace ostrya {

/// The depth-two tree a scan found: its second splits are looked up again.
template <class Sum>
Subtree Solver<Sum>::depth_two_tree(LevelT& level, const Found& found) {
    const Node<Sum>& node = level.node;
    const SumReader<Sum>& reader = builder_.reader();
    const std::uint32_t slots = reader.size();
    counter_.count_pairs(node, found.split);

    // The child's best second split: the first, by column and cut, with the loss that
    // the scan promised.
    std::vector<Sum> in(slots), out(slots);
    const auto second = [&](bool is_yes, Weight two) {
        std::uint32_t best = none;
        for (std::uint32_t split = 0; split < node.width; ++split) {
            if (!node.is_split[split]) continue;
            for (std::uint32_t slot = 0; slot < slots; ++slot) {
                const std::size_t at = slot * node.width;
                const Sum both = counter_.both()[at + split];
                const Sum first = node.yes[at + found.split];
                in[slot] = is_yes ? both : node.yes[at + split] - both;
                out[slot] = (is_yes ? first : node.total[slot] - first) - in[slot];
            }
            if (reader.loss(in.data(), 1) + reader.loss(out.data(), 1) != two) continue;
            if (!reader.may_be_leaf(in.data(), 1) ||
                !reader.may_be_leaf(out.data(), 1)) {
                continue;
            }
            const auto key = [&](std::uint32_t at) {
                return std::pair(node.splits[at].column, node.splits[at].cut);
            };
            if (best == none || key(split) < key(best)) best = split;
        }
        return Subtree::join(pool_, node.splits[best], {}, {});
    };
    const ChildCosts yes = costs_of(level.yes_losses(found.split), {});
    const ChildCosts no = costs_of(level.no_losses(found.split), {});
    bool splits_yes = yes.two < yes.leaf, splits_no = no.two < no.leaf;
    if (found.cost != yes.shallow() + no.shallow()) {  // three leaves allowed, not four
        splits_yes = splits_yes && found.cost == yes.two + no.leaf;
        splits_no = splits_no && !splits_yes;
    }
    const Subtree below_yes =
        splits_yes ? second(true, level.yes_two[found.split]) : Subtree();
    const Subtree below_no =
        splits_no ? second(false, level.no_two[found.split]) : Subtree();
    return Subtree::join(pool_, node.splits[found.split], below_yes, below_no);
}

template Subtree Solver<std::int32_t>::depth_two_tree(LevelT&, const Found&);
template Subtree Solver<std::int64_t>::depth_two_tree(LevelT&, const Found&);

}  // namespace ostrya
