#include "search/engine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ostrya {

bool fits_narrow_sums(const Problem& problem) {
    const std::size_t width = problem.layout.size();
    std::vector<Weight> totals(width);
    for (std::size_t at = 0; at < problem.sums.size(); ++at) {
        totals[at % width] += problem.sums[at];
    }
    Weight largest = problem.potential;
    for (const Weight total : totals) largest = std::max(largest, total);
    // Kernels add two losses, and `no_loss` must stay above any of them.
    return largest < no_loss<std::int32_t>;
}

Result search(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress) {
    if (fits_narrow_sums(problem)) {
        return Solver<std::int32_t>(problem, options, stop, progress).run();
    }
    return Solver<std::int64_t>(problem, options, stop, progress).run();
}

Thresholds thresholds_of(const FoundTree& tree, const Problem& problem,
                         const Request& request) {
    Thresholds out;
    out.feature.assign(tree.nodes.size(), -1);
    out.threshold.assign(tree.nodes.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<std::vector<std::uint32_t>> rows(tree.nodes.size());
    rows[0].resize(request.n_rows);
    std::iota(rows[0].begin(), rows[0].end(), 0);
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const FoundTree::Node& node = tree.nodes[at];
        if (node.is_leaf) continue;
        const SplitColumn& split = problem.splits[node.split.column];
        const std::vector<double>& values = problem.values[split.feature];
        const double cut = values[split.cuts[node.split.cut]];
        double below = values.front(), above = values.back();
        for (const std::uint32_t row : rows[at]) {
            const double value = request.values[split.feature * request.n_rows + row];
            if (value <= cut) {
                below = std::max(below, value);
                rows[node.yes].push_back(row);
            } else {
                above = std::min(above, value);
                rows[node.no].push_back(row);
            }
        }
        rows[at] = {};
        out.feature[at] = static_cast<std::int32_t>(split.feature);
        out.threshold[at] = threshold_between(below, above);
    }
    return out;
}

}  // namespace ostrya
