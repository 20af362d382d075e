/// Branch and bound over leaf sets, as in OSDT: a queue of trees, each with leaves
/// fixed for good and leaves that may still be split.
///
/// A set taken from the queue has one open leaf decided: it becomes fixed, or is split
/// in each possible way, with both children open. Which leaf is decided depends on the
/// set alone, so that a tree is not met once for every order of its decisions; what
/// other orders of splits still lead to the same set is found in the tree cache.
#pragma once

#include <vector>

#include "leaf_sets/criterion.hpp"
#include "leaf_sets/storage.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya::leaf_sets {

class Search {
public:
    Search(LeafCache& leaves, Criterion& criterion, Cost penalty,
           const Options& options, StopSign& stop, Progress& progress);

    Result run();

private:
    using Entry = LeafSet::Entry;

    /// A leaf set in the queue, packed: queues grow to millions.
    struct Waiting {
        double priority;
        std::uint64_t serial;
        Cost lower;
        Cost cost;
        std::uint32_t* packed;

        /// Least priority first, then the oldest.
        bool operator<(const Waiting& other) const {
            return priority != other.priority ? priority > other.priority
                                              : serial > other.serial;
        }
    };

    // The first trees (greedy.cpp).
    struct PurestSplit {
        std::uint32_t split = none;
        double won = -1.0;  // by how much impurity falls
    };
    void start_greedily();
    PurestSplit purest_split(const Entry& entry);
    double impurity(std::uint32_t leaf) const;
    void try_tree(const std::vector<std::uint32_t>& splits);

    // The search (search.cpp).
    void branch(LeafSet set);
    void consider(LeafSet set, bool is_new_tree);
    bool settle(LeafSet& set);
    bool fix(LeafSet& set, std::size_t open);
    LeafSet split(const LeafSet& set, std::size_t open, std::uint32_t split) const;
    std::size_t choose_open(const LeafSet& set) const;
    void push(const LeafSet& set);
    LeafSet pop();
    double priority_of(const LeafSet& set) const;
    double entropy_of(const LeafSet& set) const;
    bool is_beaten(Cost lower) const;
    bool may_have(std::uint32_t n_leaves) const;

    // What is told (report.cpp).
    void keep_if_best(const LeafSet& set);
    void look_around();
    Cost lower_now() const;
    void publish();
    FoundTree found_tree() const;

    LeafCache& leaves_;
    Criterion& criterion_;
    Cost penalty_;
    const Options& options_;
    StopSign& stop_;
    Progress& progress_;
    Cost unavoidable_ = 0;
    Cost goal_;  // only cheaper trees are looked for
    LeafSet best_;
    Cost lower_ = 0;  // proved so far
    MemoryBudget& memory_;
    Vector<Waiting> queue_;
    Pieces pieces_;  // what is packed in the queue
    KeySet seen_;
    std::uint64_t n_trees_ = 0;
    std::uint64_t n_repeated_ = 0;
    std::uint64_t n_pushed_ = 0;
    double next_report_ = 0.0;
};

}  // namespace ostrya::leaf_sets
