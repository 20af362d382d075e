#include "objective/found_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ostrya {

Thresholds thresholds_of(const FoundTree& tree, const Request& request) {
    using Limit = std::numeric_limits<double>;
    Thresholds out;
    out.feature.assign(tree.nodes.size(), -1);
    out.threshold.assign(tree.nodes.size(), Limit::quiet_NaN());
    std::vector<std::vector<std::uint32_t>> rows(tree.nodes.size());
    rows[0].resize(request.n_rows);
    std::iota(rows[0].begin(), rows[0].end(), 0);
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const FoundTree::Node& node = tree.nodes[at];
        if (node.is_leaf) continue;
        // Every split of a found tree has rows on both sides.
        double below = Limit::lowest(), above = Limit::max();
        for (const std::uint32_t row : rows[at]) {
            const double value = request.values[node.feature * request.n_rows + row];
            if (value <= node.cut) {
                below = std::max(below, value);
                rows[node.yes].push_back(row);
            } else {
                above = std::min(above, value);
                rows[node.no].push_back(row);
            }
        }
        rows[at] = {};
        out.feature[at] = static_cast<std::int32_t>(node.feature);
        out.threshold[at] = threshold_between(below, above);
    }
    return out;
}

}  // namespace ostrya
