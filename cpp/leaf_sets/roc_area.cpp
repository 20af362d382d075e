#include "leaf_sets/roc_area.hpp"

#include <algorithm>
#include <cassert>

namespace ostrya::leaf_sets {

RocArea::RocArea(LeafCache& leaves, CostScale scale, const Options& options,
                 Reach reach)
    : Hull(leaves, scale, options),
      reach_(reach),
      end_(reach.numerator * all_.negatives),
      group_terms_(leaves.memory),
      completion_(leaves.memory),
      best_split_(leaves.memory) {
    assert(0 < reach_.numerator && reach_.numerator <= reach_.denominator);
    assert(reach_.denominator <= Pairs{1} << 20);
    assert(reach_.multiple == 1 || reach_.divisor == 1);
    // The whole area is worth at most 2^60 with its scale, and so is every loss.
    assert(n_bits(end_) + n_bits(all_.positives) + n_bits(reach_.multiple) < 126);
    assert(2 * end_ * all_.positives / reach_.denominator * reach_.multiple /
               reach_.divisor * scale_.factor <=
           Pairs{1} << 60);
}

/// Multiples of pairs of rows as units, rounded down.
Weight RocArea::in_units(Pairs multiples) const {
    return rounded_down(multiples, reach_.divisor);
}

Weight RocArea::loss(std::span<const LeafVector> steepest_first) {
    Weight passed = 0, above = all_.positives;
    Pairs total = 0;  // at most 2 N P < 2^104
    const Pairs den = reach_.denominator;
    for (const LeafVector& vector : steepest_first) {
        if (vector.negatives > 0) {
            const Pairs room = end_ - passed * den;  // at most 2^72
            if (vector.negatives * den > room) {
                // The leaf in which the area ends: a part of its triangle. `above`
                // counts its positives too, so `part` is not negative; it is at most
                // 2^125. The ratio is a part of the area, which is at most 2^104.
                const Pairs n = vector.negatives;
                const Pairs part = 2 * den * n * above - vector.positives * room;
                const Quotient last =
                    divide_product(reach_.multiple * room, part, den * den * n);
                return in_units(total * reach_.multiple + last.down);
            }
            total += Pairs{vector.negatives} * (2 * above - vector.positives);
            passed += vector.negatives;
        }
        above -= vector.positives;
    }
    return in_units(total * reach_.multiple);
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
    const Pairs most =
        2 * misranked(own, others) + Pairs{own.positives} * own.negatives;
    return is_worth_no_leaf(most, switches_.node_support.slip);
}

/// True when so many pairs of rows cost no more than a leaf. They are at most 4 N P, so
/// that the left side is at most 2^106 where the divisor is not 1. Otherwise the scale
/// of the whole area bounds it: f k 2 N P <= 2^60 d / t <= 2^80. The right side is at
/// most 2^61 times a divisor below 2^64.
bool RocArea::is_worth_no_leaf(Pairs pairs, Cost slip) const {
    return reach_.multiple * scale_.factor * pairs <=
           Pairs{scale_.penalty + slip} * reach_.divisor;
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
    Pairs gain = 0;
    for (const LeafSet::Entry& entry : set.fixed) {
        if (entry.made_by != split) gain += 2 * won(vector_of(entry.leaf));
    }
    LeafVector open;
    for (const LeafSet::Entry& entry : set.open) {
        const LeafVector vector = vector_of(entry.leaf);
        open.negatives += vector.negatives;
        open.positives += vector.positives;
    }
    // A finished parent is never split, so that it has rows of both classes.
    const Pairs peak = 2 * won(parent);
    gain += std::min(divide_product(peak, open.negatives, parent.negatives).up(),
                     divide_product(peak, open.positives, parent.positives).up());
    gain += misranked(parent, parent) - misranked(yes, yes) - misranked(no, no) -
            2 * misranked(yes, no);
    return is_worth_no_leaf(gain, switches_.incremental_accuracy.slip);
}

}  // namespace ostrya::leaf_sets
