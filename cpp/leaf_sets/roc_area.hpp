/// The area above the ROC convex hull, whole or left of a false positive rate.
#pragma once

#include <vector>

#include "leaf_sets/hull.hpp"

namespace ostrya::leaf_sets {

/// How far right the area goes, and in what units it is counted. What these numbers
/// are multiplied with seldom fits 64 bits.
struct Reach {
    /// The largest false positive rate, a ratio in (0, 1] of integers up to 2^20.
    Pairs numerator = 1;
    Pairs denominator = 1;
    /// A pair of rows counts `multiple / divisor` units; one of the two is 1. The area
    /// up to the reach has at most 2^60 units.
    Pairs multiple = 1;
    Pairs divisor = 1;
};

/// Twice the missing area in units of pairs, over all negatives an exact integer:
///     sum over ordered pairs of leaves of min(p n', p' n).
///
/// With N negatives, P positives, the rate t / d and multiple k, these are the ranges
/// of all numbers here: N + P < 2^52, t <= d <= 2^20, and 2 k t N P / d <= 2^60 where k
/// is not 1. Hence k P N <= 2^79 then, and k P N <= 2^104 always.
class RocArea : public Hull {
public:
    RocArea(LeafCache& leaves, CostScale scale, const Options& options, Reach reach);

    Cost lower(const LeafSet& set) override;
    bool is_finished(std::uint32_t leaf) override;
    bool is_wasteful(const LeafSet& set, std::uint32_t split) override;
    std::vector<std::vector<std::uint32_t>> prepare(const LeafSet& incumbent) override;

protected:
    Weight loss(std::span<const LeafVector> steepest_first) override;

private:
    /// A stretch of the reference hull: its slope, and what comes before it.
    struct Stretch {
        LeafVector slope;
        LeafVector before;  // sums of the stretches before it
    };

    // The tangent bound (tangent.cpp).
    bool touch(const std::vector<std::uint32_t>& splits);
    void measure_reference(const std::vector<std::uint32_t>& splits);
    Weight in_units(Pairs multiples) const;
    bool is_worth_no_leaf(Pairs pairs, Cost slip) const;
    Weight term(const LeafVector& vector) const;
    Cost complete(std::uint32_t leaf, std::uint32_t depth);
    Cost tangent(const LeafSet& set);
    void trace(std::uint32_t leaf, std::vector<std::uint32_t>& splits);
    Cost leaf_term(std::uint32_t leaf) const {
        return scale_.cost(term(vector_of(leaf)), 1);
    }

    Reach reach_;
    Pairs end_ = 0;                   // where the area ends: negatives * denominator
    std::vector<Stretch> stretches_;  // those that lie within the reach, and an end
    LeafVector last_;                 // the stretch in which the reach ends
    Pairs last_width_ = 0;            // how much of it, times the reach's denominator
    Cost constant_ = 0;
    Vector<Weight> group_terms_;
    Vector<Cost> completion_;           // of each leaf; -1: not yet known
    Vector<std::uint32_t> best_split_;  // of each leaf; none: stay a leaf
    std::uint64_t work_left_ = 0;
    bool is_touching_ = false;
};

}  // namespace ostrya::leaf_sets
