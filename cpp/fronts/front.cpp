#include "fronts/front.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "data/sort_in_parts.hpp"

namespace ostrya::fronts {

void Front::reduce(const StopCheck& is_stopped) {
    // What is sorted is short: points are moved once, if they stay.
    order_.clear();
    std::uint32_t most = 0;
    for (std::uint32_t at = 0; at < points_.size(); ++at) {
        const Point& point = points_[at];
        const auto errors = static_cast<std::uint64_t>(point.false_positives) << 32 |
                            static_cast<std::uint64_t>(point.false_negatives);
        order_.push_back({errors, point.leaves, at});
        most = std::max(most, point.leaves);
    }
    if (!sort_in_parts(order_, std::less<>{}, is_stopped)) return;
    // By number of leaves: the least false negatives of a point with so many or fewer.
    least_.assign(most + std::size_t{1}, std::numeric_limits<std::int32_t>::max());
    kept_.clear();
    for (const Place& place : order_) {
        const Point& point = points_[place.at];
        if (least_[point.leaves] <= point.false_negatives) continue;
        for (std::uint32_t leaves = point.leaves;
             leaves <= most && least_[leaves] > point.false_negatives; ++leaves) {
            least_[leaves] = point.false_negatives;
        }
        kept_.push_back(point);
    }
    points_.swap(kept_);
    limit_ = std::max(shortest_limit, 4 * points_.size());
}

void Front::sort_by_cost() {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const Point& a, const Point& b) { return a.cost < b.cost; });
}

}  // namespace ostrya::fronts
