/// What a leaf set costs, and what no tree grown from it can fall below.
#pragma once

#include "leaf_sets/leaf_cache.hpp"
#include "leaf_sets/leaf_set.hpp"
#include "leaf_sets/options.hpp"

namespace ostrya::leaf_sets {

class Criterion {
public:
    virtual ~Criterion() = default;

    /// Loss on the grid that no tree avoids, penalties left out.
    virtual Cost unavoidable() = 0;

    /// Cost of the tree whose leaves these are, open or not; `unreachable` where it is
    /// stopped, or would take too much, which it never does for a lone leaf.
    virtual Cost cost(const LeafSet& set) = 0;

    /// No tree that keeps the fixed leaves and splits at least one open leaf costs
    /// less.
    virtual Cost lower(const LeafSet& set) = 0;

    /// True when splitting the leaf can never pay, in whatever tree.
    virtual bool is_finished(std::uint32_t leaf) = 0;

    /// True when the fixed leaves `split` made are no better than their parent,
    /// whatever else becomes of the tree.
    virtual bool is_wasteful(const LeafSet& set, std::uint32_t split) = 0;

    /// Called when the splits of a leaf have become known.
    virtual void learn(std::uint32_t leaf) = 0;

    /// Called once with the first incumbent; may return trees worth trying, each as
    /// the splits that make it.
    virtual std::vector<std::vector<std::uint32_t>> prepare(const LeafSet& incumbent) {
        static_cast<void>(incumbent);
        return {};
    }
};

}  // namespace ostrya::leaf_sets
