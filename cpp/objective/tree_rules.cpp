#include "objective/tree_rules.hpp"

#include <cmath>
#include <vector>

namespace ostrya {
namespace {

/// True when the nodes make one tree in preorder: a node, its yes subtree, its no
/// subtree.
bool is_in_preorder(const TreeArrays& tree) {
    std::vector<std::int32_t> open;  // no children that are to come, innermost last
    for (std::size_t node = 0; node < tree.n_nodes; ++node) {
        const auto next = static_cast<std::int64_t>(node) + 1;
        const bool is_last = node + 1 == tree.n_nodes;
        if (tree.feature[node] >= 0) {
            if (is_last || tree.yes[node] != next) return false;
            open.push_back(tree.no[node]);
        } else if (open.empty()) {
            return is_last;
        } else {
            if (is_last || open.back() != next) return false;
            open.pop_back();
        }
    }
    return false;  // a no child is missing, or all nodes are
}

}  // namespace

std::optional<std::string> broken_rule(const TreeArrays& tree,
                                       std::int64_t n_features) {
    if (!is_in_preorder(tree)) {
        return "nodes must stand in preorder (node, yes subtree, no subtree)";
    }
    for (std::size_t node = 0; node < tree.n_nodes; ++node) {
        const std::int32_t feature = tree.feature[node];
        if (feature >= n_features) return "feature must be below n_features";
        if (feature < -1) return "feature must be -1 at leaves";
        if (feature >= 0) {
            if (!std::isfinite(tree.threshold[node])) {
                return "threshold must be finite";
            }
            continue;
        }
        if (tree.yes[node] != -1 || tree.no[node] != -1) {
            return "yes and no must be -1 at leaves";
        }
        if (!std::isnan(tree.threshold[node])) {
            return "threshold must be NaN at leaves";
        }
    }
    return {};
}

std::optional<std::string> broken_rule(const NodeContents& contents) {
    const auto n_classes = static_cast<std::int64_t>(contents.n_classes);
    for (std::size_t node = 0; node < contents.n_nodes; ++node) {
        if (contents.label[node] < 0 || contents.label[node] >= n_classes) {
            return "label must lie in 0.." + std::to_string(n_classes - 1);
        }
        if (contents.n_samples[node] < 0) return "n_samples must be >= 0";
    }
    for (std::size_t at = 0; at < contents.n_nodes * contents.n_classes; ++at) {
        if (!std::isfinite(contents.value[at]) || contents.value[at] < 0) {
            return "value must be finite and >= 0";
        }
    }
    return {};
}

}  // namespace ostrya
