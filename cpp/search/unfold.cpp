#include "search/unfold.hpp"

namespace ostrya {
namespace {

constexpr std::uint32_t no_parent = ~std::uint32_t{0};

}  // namespace

std::uint32_t count_leaves(const SubtreePool& pool, const Subtree& tree) {
    std::uint32_t leaves = 0;
    std::vector<std::uint32_t> open{tree.index()};
    while (!open.empty()) {
        const std::uint32_t index = open.back();
        open.pop_back();
        if (index == 0) {
            ++leaves;
            continue;
        }
        const SubtreePool::Parts node = pool.at(index);
        open.push_back(node.yes);
        open.push_back(node.no);
    }
    return leaves;
}

FoundTree unfold(const SubtreePool& pool, const Subtree& tree, const Problem& problem) {
    FoundTree out;
    struct Open {
        std::uint32_t index;
        std::uint32_t parent;
        bool is_yes;
    };
    std::vector<Open> open{{tree.index(), no_parent, false}};
    while (!open.empty()) {
        const Open top = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(out.nodes.size());
        out.nodes.emplace_back();
        if (top.parent != no_parent) {
            (top.is_yes ? out.nodes[top.parent].yes : out.nodes[top.parent].no) = at;
        }
        if (top.index == 0) continue;
        const SubtreePool::Parts node = pool.at(top.index);
        const SplitColumn& column = problem.splits[node.split.column];
        out.nodes[at].is_leaf = false;
        out.nodes[at].feature = column.feature;
        out.nodes[at].cut = problem.values[column.feature][column.cuts[node.split.cut]];
        open.push_back({node.no, at, false});
        open.push_back({node.yes, at, true});
    }
    return out;
}

}  // namespace ostrya
