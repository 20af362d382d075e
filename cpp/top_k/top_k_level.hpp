/// An open node of the Top-k search: the splits it may use, what they cost at least,
/// and how its children are made.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/budget.hpp"
#include "objective/problem.hpp"

namespace ostrya {

template <class Nodes>
struct TopKLevel {
    TopKLevel(const Problem& of, Nodes& its_nodes, MemoryBudget& memory)
        : problem(of),
          nodes(its_nodes),
          row_memory(&memory),
          split_memory(&memory),
          node(row_memory, split_memory),
          partition(row_memory),
          candidates(split_memory),
          open(split_memory) {}

    const Problem& problem;
    Nodes& nodes;
    MemoryBudget row_memory, split_memory;
    typename Nodes::Node node;
    typename Nodes::Partition partition;  // by the candidate being explored
    Vector<std::uint32_t> candidates;     // splits the node may use, best first
    Vector<std::uint32_t> open;           // those of them that are yet to be explored

    /// List the `k` best splits as candidates; true if others were left out.
    bool choose(std::uint32_t k) { return nodes.choose(node, k, candidates); }
    void part(std::uint32_t split) { nodes.part(node, split, partition); }
    void build_child(bool yes, TopKLevel& child) {
        nodes.build(node, partition, yes, child.node);
    }

    /// What the node loses, and costs, as one leaf.
    Weight leaf_loss() const { return nodes.reader().loss(node.rows.total.data(), 1); }
    Cost leaf_cost() const { return problem.scale.cost(leaf_loss(), 1); }

    /// What one side of a split loses, and costs, as one leaf.
    Weight side_loss(std::uint32_t split, bool yes) const {
        const auto& reader = nodes.reader();
        const auto* sums = node.splits.yes.data() + split;
        if (yes) return reader.loss(sums, node.splits.width);
        Weight gain = 0;
        for (std::uint32_t label = 0; label < reader.layout().n_labels; ++label) {
            gain = std::max<Weight>(gain, node.side_sum(label, split, false));
        }
        return reader.potential(node.rows.total.data(), 1) -
               reader.potential(sums, node.splits.width) - gain;
    }
    Cost side_cost(std::uint32_t split, bool yes) const {
        return problem.scale.cost(side_loss(split, yes), 1);
    }

    /// The least that any tree of one side of a split can cost, and of both.
    Cost side_lower(std::uint32_t split, bool yes) const {
        return std::min(side_cost(split, yes), 2 * problem.scale.penalty);
    }
    Cost split_lower(std::uint32_t split) const {
        return side_lower(split, true) + side_lower(split, false);
    }

    /// Which child is solved first: the one that loses more, for it is the likelier to
    /// cost too much.
    bool is_yes_first(std::uint32_t split) const {
        return side_loss(split, true) >= side_loss(split, false);
    }

    /// Rows times columns: what a scan of the node looks at, roughly.
    std::size_t n_cells() const {
        return std::size_t{node.rows.n} * problem.splits.size();
    }

    /// What it takes to build the node and rank its splits (Node::nanoseconds).
    std::size_t nanoseconds() const { return nodes.nanoseconds(node); }

    std::uint64_t bytes() const { return row_memory.used() + split_memory.used(); }
    std::uint64_t child_bytes() const {
        return nodes.child_bytes(node, partition, row_memory.used(),
                                 split_memory.used());
    }
    void forget() {}  // all that was learned is in the memo
};

}  // namespace ostrya
