/// Any loss that grows with the false positives and with the false negatives.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <utility>

#include "leaf_sets/criterion.hpp"

namespace ostrya::leaf_sets {

/// Labels are chosen jointly: a tree costs what its best labeling costs. Only labelings
/// that no other beats in both counts matter; they form a front.
class Monotone : public Criterion {
public:
    using Counts = std::pair<Weight, Weight>;  // false positives, false negatives
    using Front = Vector<Counts>;              // by false positives, none beaten
    /// Loss on the grid; never falls when either count grows.
    using Loss = std::function<Cost(Weight, Weight)>;

    Monotone(LeafCache& leaves, Cost penalty, const Options& options, Loss loss);

    static SplitRule rule(const Options& options);

    Cost unavoidable() override;
    Cost cost(const LeafSet& set) override;
    Cost lower(const LeafSet& set) override;
    bool is_finished(std::uint32_t leaf) override;
    bool is_wasteful(const LeafSet&, std::uint32_t) override { return false; }
    void learn(std::uint32_t) override {}

private:
    Front front_of(std::initializer_list<Counts> points) const;
    Front as_leaf(std::uint32_t leaf) const;
    const Front& apart(std::uint32_t leaf);
    Cost ask(const Counts& counts);
    Cost least(const Front& front);

    LeafCache& leaves_;
    Cost penalty_;
    const Switches& switches_;
    Loss loss_;
    Vector<Front> apart_;  // of each leaf; empty: not yet known
    const Front nothing_;
    std::map<Counts, Cost, std::less<>, Counted<std::pair<const Counts, Cost>>>
        remembered_;
};

}  // namespace ostrya::leaf_sets
