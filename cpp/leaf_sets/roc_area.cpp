#include "leaf_sets/roc_area.hpp"

#include <algorithm>

#include "leaf_sets/rounding.hpp"

namespace ostrya::leaf_sets {

RocArea::RocArea(LeafCache& leaves, CostScale scale, const Options& options,
                 Reach reach)
    : Hull(leaves, scale, options),
      reach_(reach),
      group_terms_(leaves.memory),
      completion_(leaves.memory),
      best_split_(leaves.memory) {}

Weight RocArea::loss(std::span<const LeafVector> steepest_first) {
    Weight passed = 0, above = all_.positives, total = 0;
    for (const LeafVector& vector : steepest_first) {
        if (vector.negatives > 0) {
            const Weight room = reach_.negatives - passed * reach_.denominator;
            if (vector.negatives * reach_.denominator > room) {
                // The leaf in which the area ends: a part of its triangle.
                const __int128 n = vector.negatives, den = reach_.denominator;
                const __int128 part = 2 * den * n * above -
                                      static_cast<__int128>(vector.positives) * room;
                return total +
                       rounded_down(reach_.resolution * room * part, den * den * n);
            }
            total +=
                reach_.resolution * vector.negatives * (2 * above - vector.positives);
            passed += vector.negatives;
        }
        above -= vector.positives;
    }
    return total;
}

Cost RocArea::lower(const LeafSet& set) {
    const Cost apart = Hull::lower(set);
    return is_touching_ ? std::max(apart, tangent(set)) : apart;
}

/// L4: split into pure leaves, in the tree most favourable to it, the leaf wins back
/// its own pairs and those with all other rows, were these one leaf.
bool RocArea::is_finished(std::uint32_t leaf) {
    if (Hull::is_finished(leaf)) return true;
    if (!switches_.node_support.is_on) return false;
    const LeafVector own = vector_of(leaf);
    const LeafVector others{all_.negatives - own.negatives,
                            all_.positives - own.positives};
    const Weight most = 2 * misranked(own, others) + own.positives * own.negatives;
    return scale_.factor * reach_.resolution * most <=
           scale_.penalty + switches_.node_support.slip;
}

/// L5: what the split wins back beside the fixed leaves, and at best beside the open.
///
/// Beside a leaf v it wins phi(v) = k(parent, v) - k(yes, v) - k(no, v) pairs, twice.
/// Along slopes phi is a tent that stands on those of yes and no and peaks at the
/// parent's; so phi(v) is at most phi(parent) times the larger part of the parent that
/// v holds of both classes, and this bound adds up over open leaves.
bool RocArea::is_wasteful(const LeafSet& set, std::uint32_t split) {
    if (Hull::is_wasteful(set, split)) return true;
    const LeafSplit& made = leaves_.split(split);
    const LeafVector parent = vector_of(made.leaf);
    const LeafVector yes = vector_of(made.yes), no = vector_of(made.no);
    const auto won = [&](const LeafVector& v) {
        return misranked(parent, v) - misranked(yes, v) - misranked(no, v);
    };
    Weight gain = 0;
    for (const LeafSet::Entry& entry : set.fixed) {
        if (entry.made_by != split) gain += 2 * won(vector_of(entry.leaf));
    }
    LeafVector open;
    for (const LeafSet::Entry& entry : set.open) {
        const LeafVector vector = vector_of(entry.leaf);
        open.negatives += vector.negatives;
        open.positives += vector.positives;
    }
    const __int128 peak = 2 * won(parent);
    gain += std::min(rounded_up(peak * open.negatives, parent.negatives),
                     rounded_up(peak * open.positives, parent.positives));
    gain += misranked(parent, parent) - misranked(yes, yes) - misranked(no, no) -
            2 * misranked(yes, no);
    return scale_.factor * reach_.resolution * gain <=
           scale_.penalty + switches_.incremental_accuracy.slip;
}

}  // namespace ostrya::leaf_sets
