#include "constrained/subtrees.hpp"

#include <algorithm>

namespace ostrya::constrained {

void Subtrees::collect(std::uint32_t number, std::uint32_t label, const Box& box,
                       Leaf& path, std::vector<Leaf>& out) const {
    const Node& node = nodes_[number];
    if (node.column < 0) {
        if (node.label == label) out.push_back(path);
        return;
    }
    const auto column = static_cast<std::uint32_t>(node.column);
    const auto known =
        std::find_if(path.ranges.begin(), path.ranges.end(),
                     [&](const auto& each) { return each.first == column; });
    const auto at = static_cast<std::size_t>(known - path.ranges.begin());
    const bool is_new = known == path.ranges.end();
    const Range whole = is_new ? box[column] : known->second;
    if (is_new) path.ranges.emplace_back(column, whole);
    path.ranges[at].second = {whole.low, node.cut};
    collect(node.yes, label, box, path, out);
    path.ranges[at].second = {node.cut + 1, whole.high};
    collect(node.no, label, box, path, out);
    path.ranges[at].second = whole;
    if (is_new) path.ranges.pop_back();
}

/// Of all such rows, one in the middle of the largest box of them: what forbids it
/// settles most.
std::optional<Point> Subtrees::find_fall(std::uint32_t low, std::uint32_t high,
                                         std::uint32_t column, const Box& box) const {
    std::vector<Leaf> ones, zeros;
    Leaf path;
    collect(low, 1, box, path, ones);
    collect(high, 0, box, path, zeros);
    std::optional<Point> out;
    double largest = 0;
    for (const Leaf& one : ones) {
        for (const Leaf& zero : zeros) {
            Box common = box;
            bool is_empty = false;
            for (const Leaf* leaf : {&one, &zero}) {
                for (const auto& [which, range] : leaf->ranges) {
                    if (which == column) continue;
                    Range& both = common[which];
                    both.low = std::max(both.low, range.low);
                    both.high = std::min(both.high, range.high);
                    is_empty |= both.low > both.high;
                }
            }
            if (is_empty) continue;
            double share = 1;
            for (std::size_t which = 0; which < box.size(); ++which) {
                share *= (common[which].high - common[which].low + 1.0) /
                         (box[which].high - box[which].low + 1.0);
            }
            if (out && share <= largest) continue;
            largest = share;
            out.emplace(box.size());
            for (std::size_t which = 0; which < box.size(); ++which) {
                const Range& range = common[which];
                (*out)[which] = range.low + (range.high - range.low) / 2;
            }
        }
    }
    return out;
}

}  // namespace ostrya::constrained
