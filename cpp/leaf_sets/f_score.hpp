/// One minus the F-score of a tree under its best labels.
#pragma once

#include "leaf_sets/hull.hpp"

namespace ostrya::leaf_sets {

/// The loss is (FP + b FN) / ((1 + b) P - FN + FP) with b = beta squared. It is a ratio
/// of linear functions, so of all labelings the best is a corner of the hull: the
/// steepest leaves positive, the others negative.
class FScore : public Hull {
public:
    FScore(LeafCache& leaves, CostScale scale, const Options& options,
           Weight beta_numerator, Weight beta_denominator, Weight resolution);

protected:
    Weight loss(std::span<const LeafVector> steepest_first) override;

private:
    Weight ratio(Weight false_positives, Weight false_negatives) const;

    Weight above_, below_;  // beta squared as a ratio
    Weight resolution_;
};

}  // namespace ostrya::leaf_sets
