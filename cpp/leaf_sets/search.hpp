/// Branch and bound over leaf sets, as in OSDT: a queue of trees, each with leaves
/// fixed for good and leaves that may still be split.
///
/// A set taken from the queue has one open leaf decided: it becomes fixed, or is split
/// in each possible way, with both children open. Which leaf is decided depends on the
/// set alone, so that a tree is not met once for every order of its decisions; what
/// other orders of splits still lead to the same set is found in the tree cache.
#pragma once

#include "leaf_sets/criterion.hpp"
#include "leaf_sets/incumbent.hpp"
#include "leaf_sets/queue.hpp"
#include "leaf_sets/storage.hpp"

namespace ostrya::leaf_sets {

class Search {
public:
    Search(LeafCache& leaves, Criterion& criterion, Cost penalty,
           const Options& options, StopSign& stop, Progress& progress);

    Result run();

private:
    using Entry = LeafSet::Entry;

    void branch(LeafSet set);
    void consider(LeafSet set, bool is_new_tree);
    bool settle(LeafSet& set);
    bool fix(LeafSet& set, std::size_t open);
    bool is_beaten(Cost lower) const;
    bool may_have(std::uint32_t n_leaves) const;
    void raise_lower();
    void look_around();

    LeafCache& leaves_;
    Criterion& criterion_;
    Cost penalty_;
    const Options& options_;
    StopSign& stop_;
    Cost unavoidable_ = 0;
    Incumbent incumbent_;
    Queue queue_;
    KeySet seen_;
    std::uint64_t n_repeated_ = 0;
    double next_report_ = 0.0;
};

}  // namespace ostrya::leaf_sets
