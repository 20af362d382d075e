#include "leaf_sets/f_score.hpp"

#include <algorithm>

#include "leaf_sets/rounding.hpp"

namespace ostrya::leaf_sets {

Weight FScore::ratio(Weight false_positives, Weight false_negatives) const {
    const __int128 fp = false_positives, fn = false_negatives;
    const __int128 wrong = below_ * fp + above_ * fn;
    const __int128 all =
        static_cast<__int128>(below_ + above_) * all_.positives + below_ * (fp - fn);
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
