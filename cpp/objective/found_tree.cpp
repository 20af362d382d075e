#include "objective/found_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ostrya {

Thresholds thresholds_of(const FoundTree& tree, const Matrix& values,
                         const Vector<std::uint32_t>& rows) {
    using Limit = std::numeric_limits<double>;
    const std::size_t n_nodes = tree.nodes.size();
    Thresholds out;
    out.feature.assign(n_nodes, -1);
    out.threshold.assign(n_nodes, Limit::quiet_NaN());
    // The rows of a node stand side by side, those of its yes child first.
    struct Range {
        std::size_t begin, end;
    };
    Vector<std::uint32_t> sorted = rows;
    Vector<Range> ranges(n_nodes, Range{0, 0}, rows.get_allocator());
    ranges[0] = {0, sorted.size()};
    for (std::size_t at = 0; at < n_nodes; ++at) {
        const FoundTree::Node& node = tree.nodes[at];
        if (node.is_leaf) continue;
        const auto [begin, end] = ranges[at];
        // Every split of a found tree has rows on both sides.
        double below = Limit::lowest(), above = Limit::max();
        std::size_t n_yes = begin;
        for (std::size_t place = begin; place < end; ++place) {
            const double value = values.value(sorted[place], node.feature);
            if (value <= node.cut) {
                below = std::max(below, value);
                std::swap(sorted[n_yes++], sorted[place]);
            } else {
                above = std::min(above, value);
            }
        }
        ranges[node.yes] = {begin, n_yes};
        ranges[node.no] = {n_yes, end};
        out.feature[at] = static_cast<std::int32_t>(node.feature);
        out.threshold[at] = threshold_between(below, above);
    }
    return out;
}

}  // namespace ostrya
