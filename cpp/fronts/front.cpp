#include "fronts/front.hpp"

#include <limits>
#include <tuple>

namespace ostrya::fronts {

void Front::reduce() {
    std::stable_sort(
        points_.begin(), points_.end(), [](const Point& a, const Point& b) {
            return std::tie(a.false_positives, a.false_negatives, a.leaves) <
                   std::tie(b.false_positives, b.false_negatives, b.leaves);
        });
    std::uint32_t most = 0;
    for (const Point& point : points_) most = std::max(most, point.leaves);
    // By number of leaves: the least false negatives of a point with so many or fewer.
    least_.assign(most + std::size_t{1}, std::numeric_limits<std::int32_t>::max());
    keep_if([&](const Point& point) {
        if (least_[point.leaves] <= point.false_negatives) return false;
        for (std::uint32_t leaves = point.leaves;
             leaves <= most && least_[leaves] > point.false_negatives; ++leaves) {
            least_[leaves] = point.false_negatives;
        }
        return true;
    });
    limit_ = std::max(shortest_limit, 4 * points_.size());
}

void Front::sort_by_cost() {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const Point& a, const Point& b) { return a.cost < b.cost; });
}

}  // namespace ostrya::fronts
