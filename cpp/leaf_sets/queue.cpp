#include "leaf_sets/queue.hpp"

#include <algorithm>
#include <cmath>

namespace ostrya::leaf_sets {

void Queue::push(const LeafSet& set) {
    std::uint32_t* packed = pieces_.get(packed_size(set));
    pack(set, packed);
    const double priority = priority_of(set);
    waiting_.push_back({priority, n_pushed_++, set.lower, set.cost, packed});
    std::push_heap(waiting_.begin(), waiting_.end());
}

LeafSet Queue::pop() {
    std::pop_heap(waiting_.begin(), waiting_.end());
    const Waiting first = waiting_.back();
    LeafSet set = unpack(first.packed);
    set.lower = first.lower;
    set.cost = first.cost;
    waiting_.pop_back();
    pieces_.give_back(first.packed, packed_size(set));
    return set;
}

Cost Queue::lower(Cost most) const {
    Cost least = most;
    for (const Waiting& waiting : waiting_) least = std::min(least, waiting.lower);
    return least;
}

double Queue::priority_of(const LeafSet& set) const {
    switch (policy_) {
        case Policy::curiosity: {
            // The lower bound over the share of rows whose leaves are fixed.
            Weight fixed = 1;
            for (const LeafSet::Entry& entry : set.fixed) {
                fixed += leaves_.sums(entry.leaf).rows();
            }
            return static_cast<double>(set.lower) / static_cast<double>(fixed);
        }
        case Policy::lower_bound:
            return static_cast<double>(set.lower);
        case Policy::objective:
            return static_cast<double>(set.cost);
        case Policy::entropy:
            return entropy_of(set);
        case Policy::breadth:
            return static_cast<double>(set.size());
        default:
            return -static_cast<double>(n_pushed_);
    }
}

double Queue::entropy_of(const LeafSet& set) const {
    double total = 0.0;
    const auto add = [&](const LeafSet::Entry& entry) {
        const Sums sums = leaves_.sums(entry.leaf);
        double weight = 0.0, sum = 0.0;
        for (std::uint32_t label = 0; label < sums.layout.n_labels; ++label) {
            const auto part = static_cast<double>(sums.worst() - sums[label]);
            weight += part;
            if (part > 0) sum -= part * std::log(part);
        }
        if (weight > 0) total += sum + weight * std::log(weight);
    };
    for (const LeafSet::Entry& entry : set.fixed) add(entry);
    for (const LeafSet::Entry& entry : set.open) add(entry);
    return total;
}

}  // namespace ostrya::leaf_sets
