#include "leaf_sets/f_score.hpp"

#include <algorithm>
#include <cassert>

namespace ostrya::leaf_sets {

FScore::FScore(LeafCache& leaves, CostScale scale, const Options& options,
               Weight beta_numerator, Weight beta_denominator, Weight resolution)
    : Hull(leaves, scale, options),
      above_(beta_numerator),
      below_(beta_denominator),
      resolution_(resolution) {
    // No product below exceeds 2^126 (MOST_PRODUCT in measure_grid.py): errors weigh at
    // most as much as all rows. The first product is one of 25 and 53 bits.
    assert(above_ > 0 && below_ > 0 && resolution_ > 0);
    assert(above_ + below_ <= Weight{1} << 25);
    assert(Pairs{above_ + below_} * (all_.negatives + all_.positives) <=
           (Pairs{1} << 126) / resolution_);
}

/// At most the resolution: the errors never weigh more than what they are divided by,
/// which is at least b P > 0.
Weight FScore::ratio(Weight false_positives, Weight false_negatives) const {
    const Pairs fp = false_positives, fn = false_negatives;
    const Pairs wrong = below_ * fp + above_ * fn;
    const Pairs all = Pairs{below_ + above_} * all_.positives + below_ * (fp - fn);
    return rounded_down(wrong * resolution_, all);
}

Weight FScore::loss(std::span<const LeafVector> steepest_first) {
    Weight fp = 0, fn = all_.positives;
    Weight least = ratio(fp, fn);
    for (const LeafVector& vector : steepest_first) {
        fp += vector.negatives;
        fn -= vector.positives;
        least = std::min(least, ratio(fp, fn));
    }
    return least;
}

}  // namespace ostrya::leaf_sets
