#include "greedy/counted_tree.hpp"

#include <algorithm>

namespace ostrya {
namespace {

/// Rows of every node: how many, and by label; those on which a reference is wrong by
/// what they lose.
class NodeCounts {
public:
    NodeCounts(const FoundTree& tree, const Request& request, LabelLosses& losses,
               MemoryBudget& memory)
        : tree_(tree),
          request_(request),
          losses_(losses),
          n_labels_(request.n_labels),
          n_rows_(tree.nodes.size(), 0, memory),
          masses_(tree.nodes.size() * n_labels_, 0, memory),
          lost_(request.reference ? masses_.size() : 0, 0, memory),
          list_(memory) {
        for (std::size_t row = 0; row < request.values.n_rows(); ++row) {
            const std::size_t leaf = leaf_of(row);
            ++n_rows_[leaf];
            losses.masses_of(row, [&](const LabelMass& mass) { add(leaf, mass); });
        }
        for (std::size_t node = tree.nodes.size(); node-- > 0;) {
            if (!tree.nodes[node].is_leaf) add_children(node);
        }
    }

    std::size_t n_rows(std::size_t node) const { return n_rows_[node]; }

    /// Least loss of a node as a leaf.
    Weight loss(std::size_t node) {
        list_.clear();
        for (std::size_t label = 0; label < n_labels_; ++label) {
            const Weight mass = masses_[node * n_labels_ + label];
            const auto code = static_cast<std::int32_t>(label);
            if (mass > 0) list_.push_back({code, code, mass});
        }
        if (!request_.reference) return losses_.span_of(list_).least;
        const Vector<Weight>& loss = losses_.of_group(list_);
        Weight least = loss[0] + lost_[node * n_labels_];
        for (std::size_t label = 1; label < n_labels_; ++label) {
            least = std::min(least, loss[label] + lost_[node * n_labels_ + label]);
        }
        return least;
    }

private:
    std::size_t leaf_of(std::size_t row) const {
        std::size_t at = 0;
        while (!tree_.nodes[at].is_leaf) {
            const FoundTree::Node& node = tree_.nodes[at];
            at = request_.values.value(row, node.feature) <= node.cut ? node.yes
                                                                      : node.no;
        }
        return at;
    }
    void add(std::size_t leaf, const LabelMass& row) {
        if (row.reference == row.label) {
            masses_[leaf * n_labels_ + static_cast<std::size_t>(row.label)] += row.mass;
        } else {
            losses_.add(row, lost_.data() + leaf * n_labels_);
        }
    }
    void add_children(std::size_t node) {
        for (const std::size_t child : {tree_.nodes[node].yes, tree_.nodes[node].no}) {
            n_rows_[node] += n_rows_[child];
            for (Vector<Weight>* sums : {&masses_, &lost_}) {
                if (sums->empty()) continue;
                Weight* to = sums->data() + node * n_labels_;
                const Weight* from = sums->data() + child * n_labels_;
                for (std::size_t at = 0; at < n_labels_; ++at) to[at] += from[at];
            }
        }
    }

    const FoundTree& tree_;
    const Request& request_;
    LabelLosses& losses_;
    std::size_t n_labels_;
    Vector<std::size_t> n_rows_;
    Vector<Weight> masses_, lost_;  // nodes x labels
    Vector<LabelMass> list_;
};

/// The tree as nodes in preorder, without splits that were cut back.
void copy_below(const FoundTree& from, const Vector<std::uint8_t>& is_leaf,
                std::uint32_t at, FoundTree& to) {
    const std::size_t here = to.nodes.size();
    to.nodes.emplace_back();
    if (is_leaf[at]) return;
    const FoundTree::Node& node = from.nodes[at];
    to.nodes[here] = {false, node.feature, node.cut, 0, 0};
    to.nodes[here].yes = static_cast<std::uint32_t>(to.nodes.size());
    copy_below(from, is_leaf, node.yes, to);
    to.nodes[here].no = static_cast<std::uint32_t>(to.nodes.size());
    copy_below(from, is_leaf, node.no, to);
}

}  // namespace

CountedTree count_and_prune(const FoundTree& grown, const Request& request,
                            LabelLosses& losses, MemoryBudget& memory) {
    NodeCounts counts(grown, request, losses, memory);
    const std::size_t n_nodes = grown.nodes.size();
    Vector<Cost> cost(n_nodes, 0, memory);
    Vector<std::uint8_t> is_leaf(n_nodes, 1, memory);
    for (std::size_t at = n_nodes; at-- > 0;) {
        const FoundTree::Node& node = grown.nodes[at];
        cost[at] = request.scale.cost(counts.loss(at), 1);
        if (node.is_leaf) continue;
        const std::size_t fewest =
            std::min(counts.n_rows(node.yes), counts.n_rows(node.no));
        // Either is at most what its rows cost as a leaf: together at most 2^62.
        const Cost split = cost[node.yes] + cost[node.no];
        if (fewest < std::max(1u, request.min_samples_leaf) || split >= cost[at]) {
            continue;
        }
        cost[at] = split;
        is_leaf[at] = 0;
    }
    CountedTree out;
    copy_below(grown, is_leaf, 0, out.tree);
    out.cost = cost[0];
    out.n_leaves = static_cast<std::uint32_t>((out.tree.nodes.size() + 1) / 2);
    return out;
}

}  // namespace ostrya
