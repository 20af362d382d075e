/// The trees of a subproblem that no other beats in errors of either kind and leaves.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "data/stop_check.hpp"
#include "fronts/subproblems.hpp"

namespace ostrya::fronts {

/// A tree, labels included: what it gets wrong, its leaves, and what it is made of.
struct Point {
    Cost cost;  // priced
    std::int32_t false_positives;
    std::int32_t false_negatives;
    std::uint32_t leaves;
    std::uint32_t split;    // of the leaf cache; none: a leaf
    std::uint32_t yes, no;  // the subtrees, as points
};

/// Points that wait to be compared.
class Front {
public:
    explicit Front(MemoryBudget& memory)
        : points_(memory), order_(memory), kept_(memory), least_(memory) {}

    void add(const Point& point) { points_.push_back(point); }
    std::span<const Point> points() const { return points_; }
    bool is_long() const { return points_.size() >= limit_; }

    /// Drop the points that another beats or equals in all three counts; of equal ones
    /// the first added stays. If stopped, all stay.
    void reduce(const StopCheck& is_stopped);

    /// Drop the points that fail a test.
    template <class Test>
    void keep_if(const Test& test) {
        std::erase_if(points_, [&](const Point& point) { return !test(point); });
    }

    /// In the order in which fronts are added up: cheapest first.
    void sort_by_cost();

private:
    static constexpr std::size_t shortest_limit = std::size_t{1} << 14;

    /// Where a point stands, in order of its counts and then as it was added.
    struct Place {
        std::uint64_t errors;  // false positives, then false negatives
        std::uint32_t leaves;
        std::uint32_t at;

        auto operator<=>(const Place&) const = default;
    };

    Vector<Point> points_;
    Vector<Place> order_;  // scratch of reduce, as the next two
    Vector<Point> kept_;
    Vector<std::int32_t> least_;  // least false negatives, by leaves
    std::size_t limit_ = shortest_limit;
};

}  // namespace ostrya::fronts
