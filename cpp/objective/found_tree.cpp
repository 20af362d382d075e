#include "objective/found_tree.hpp"

#include <algorithm>
#include <limits>

namespace ostrya {

Thresholds thresholds_of(const FoundTree& tree, const Matrix& values,
                         const Vector<std::uint32_t>& rows) {
    using Limit = std::numeric_limits<double>;
    Thresholds out;
    out.feature.assign(tree.nodes.size(), -1);
    out.threshold.assign(tree.nodes.size(), Limit::quiet_NaN());
    Vector<Vector<std::uint32_t>> at_node(tree.nodes.size(),
                                          Vector<std::uint32_t>(rows.get_allocator()),
                                          rows.get_allocator());
    at_node[0] = rows;
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const FoundTree::Node& node = tree.nodes[at];
        if (node.is_leaf) continue;
        // Every split of a found tree has rows on both sides.
        double below = Limit::lowest(), above = Limit::max();
        for (const std::uint32_t row : at_node[at]) {
            const double value = *values.at(row, node.feature);
            if (value <= node.cut) {
                below = std::max(below, value);
                at_node[node.yes].push_back(row);
            } else {
                above = std::min(above, value);
                at_node[node.no].push_back(row);
            }
        }
        at_node[at] = Vector<std::uint32_t>(rows.get_allocator());
        out.feature[at] = static_cast<std::int32_t>(node.feature);
        out.threshold[at] = threshold_between(below, above);
    }
    return out;
}

}  // namespace ostrya
