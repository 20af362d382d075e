#include "leaf_sets/report.hpp"

#include <unordered_map>

namespace ostrya::leaf_sets {

FoundTree found_tree(const std::vector<std::uint32_t>& splits,
                     const LeafCache& leaves) {
    std::unordered_map<std::uint32_t, std::uint32_t> split_of;
    for (const std::uint32_t index : splits) {
        split_of.emplace(leaves.split(index).leaf, index);
    }
    FoundTree out;
    struct Open {
        std::uint32_t leaf;
        std::uint32_t parent;
        bool is_yes;
    };
    std::vector<Open> open{{LeafCache::root, none, false}};
    while (!open.empty()) {
        const Open top = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(out.nodes.size());
        FoundTree::Node& node = out.nodes.emplace_back();
        if (top.parent != none) {
            (top.is_yes ? out.nodes[top.parent].yes : out.nodes[top.parent].no) = at;
        }
        const auto found = split_of.find(top.leaf);
        if (found == split_of.end()) continue;
        const LeafSplit& split = leaves.split(found->second);
        const SplitColumn& column = leaves.table.splits[split.column];
        node.is_leaf = false;
        node.feature = column.feature;
        node.cut = leaves.table.values[column.feature][column.cuts[split.cut]];
        open.push_back({split.no, at, false});
        open.push_back({split.yes, at, true});
    }
    return out;
}

Statistics statistics_of(const LeafCache& leaves, const StopSign& stop) {
    Statistics told;
    told.seconds = stop.watch.seconds();
    told.first_scans = leaves.n_expanded();
    told.peak_memory = leaves.memory.peak();
    told.n_groups = leaves.table.n_groups;
    told.n_columns = leaves.table.splits.size();
    for (const SplitColumn& column : leaves.table.splits) {
        told.n_thresholds += column.cuts.size();
    }
    return told;
}

}  // namespace ostrya::leaf_sets
