/// Losses that depend on the ROC convex hull of a tree alone: areas and F-scores.
///
/// A leaf is a vector (negatives, positives). The hull of a tree is the polygon of its
/// leaves in order of slope. Splitting a leaf replaces a vector by two with the same
/// sum, which moves no point of the hull down; so the loss of fixed leaves with the
/// open rows taken apart into groups of equal rows is below that of every tree that
/// grows from them (L1, L3).
#pragma once

#include <span>
#include <vector>

#include "leaf_sets/criterion.hpp"
#include "leaf_sets/rounding.hpp"
#include "objective/cost.hpp"

namespace ostrya::leaf_sets {

struct LeafVector {
    Weight negatives = 0;
    Weight positives = 0;
};

/// True when `a` is ranked before `b`: the greater share of positives.
inline bool is_steeper(const LeafVector& a, const LeafVector& b) {
    return Pairs{a.positives} * b.negatives > Pairs{b.positives} * a.negatives;
}

/// min(p n', p' n): pairs that two leaves misrank, however they are ranked.
inline Pairs misranked(const LeafVector& a, const LeafVector& b) {
    return std::min(Pairs{a.positives} * b.negatives, Pairs{b.positives} * a.negatives);
}

class Hull : public Criterion {
public:
    Hull(LeafCache& leaves, CostScale scale, const Options& options);

    static SplitRule rule(const Options& options);

    Cost unavoidable() override;
    Cost cost(const LeafSet& set) override;
    Cost lower(const LeafSet& set) override;
    bool is_finished(std::uint32_t leaf) override;
    bool is_wasteful(const LeafSet& set, std::uint32_t split) override;
    void learn(std::uint32_t) override {}

protected:
    /// Loss of the hull with these vectors, steepest first.
    virtual Weight loss(std::span<const LeafVector> steepest_first) = 0;

    LeafVector vector_of(std::uint32_t leaf) const {
        const Sums sums = leaves_.sums(leaf);
        return {sums[1], sums[0]};
    }
    LeafVector group_vector(std::uint32_t group) const {
        const Sums sums = leaves_.table.group(group);
        return {sums[1], sums[0]};
    }
    void sort_leaves(const std::vector<LeafSet::Entry>& entries);
    Weight loss_apart(const LeafSet& set);

    LeafCache& leaves_;
    CostScale scale_;
    const Switches& switches_;
    LeafVector all_;
    std::vector<LeafVector> vectors_;  // scratch

private:
    std::vector<LeafVector> merged_;  // scratch of loss_apart
    std::vector<char> is_open_;
};

}  // namespace ostrya::leaf_sets
