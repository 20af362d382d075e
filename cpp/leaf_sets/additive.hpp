/// Losses that add up over the leaves: the case of OSDT.
#pragma once

#include <vector>

#include "leaf_sets/criterion.hpp"
#include "objective/cost.hpp"

namespace ostrya::leaf_sets {

/// Every bound here is a sum over leaves, so that what was learnt of a leaf in one tree
/// serves all trees that have it.
class Additive : public Criterion {
public:
    Additive(LeafCache& leaves, CostScale scale, const Options& options);

    /// Splits no tree needs (L6: leaf accuracy).
    static SplitRule rule(CostScale scale, const Options& options);

    Cost unavoidable() override;
    Cost cost(const LeafSet& set) override;
    Cost lower(const LeafSet& set) override;
    bool is_finished(std::uint32_t leaf) override;
    bool is_wasteful(const LeafSet& set, std::uint32_t split) override;
    void learn(std::uint32_t leaf) override;

private:
    Cost leaf_cost(std::uint32_t leaf) const {
        return scale_.cost(leaves_.at(leaf).loss, 1);
    }
    Cost split_lower(std::uint32_t leaf) const;
    Cost lower_of(std::uint32_t leaf);
    void compare_splits(std::uint32_t first, std::uint32_t last);
    Weight distance(const LeafSplit& x, const LeafSplit& y);

    LeafCache& leaves_;
    CostScale scale_;
    const Switches& switches_;
    bool may_compare_;
    Vector<Cost> lower_;             // of each leaf; -1: not yet known
    std::vector<Cost> split_costs_;  // scratch of learn
};

}  // namespace ostrya::leaf_sets
