/// The leaf sets that wait to be branched on: the one of least priority is next.
#pragma once

#include <cstdint>

#include "leaf_sets/leaf_set.hpp"
#include "leaf_sets/options.hpp"
#include "leaf_sets/storage.hpp"

namespace ostrya::leaf_sets {

class Queue {
public:
    Queue(const LeafCache& leaves, Policy policy)
        : leaves_(leaves),
          policy_(policy),
          waiting_(leaves.memory),
          pieces_(leaves.memory) {}

    std::size_t size() const { return waiting_.size(); }
    void push(const LeafSet& set);
    LeafSet pop();

    /// The least of the lower bounds of all sets that wait, or `most`.
    Cost lower(Cost most) const;

private:
    /// A leaf set, packed: queues grow to millions.
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

    double priority_of(const LeafSet& set) const;
    double entropy_of(const LeafSet& set) const;

    const LeafCache& leaves_;
    Policy policy_;
    Vector<Waiting> waiting_;  // a heap
    Pieces pieces_;            // what is packed in it
    std::uint64_t n_pushed_ = 0;
};

}  // namespace ostrya::leaf_sets
