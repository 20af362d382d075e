/// Nodes that count every cut: those of the exact search, for columns with few cuts.
#pragma once

#include <cstdint>

#include "node/partition.hpp"
#include "pairs/pair_counter.hpp"
#include "search/options.hpp"
#include "top_k/candidates.hpp"
#include "watch/stop.hpp"

namespace ostrya {

template <class SumType>
struct CutNodes {
    using Sum = SumType;
    using Node = ostrya::Node<Sum>;
    using Partition = ostrya::Partition<Sum>;

    /// The last two levels are counted for all splits at once.
    static constexpr bool counts_pairs = true;

    /// What all threads read: nothing but the problem.
    struct Table {
        Table(const Problem& of, StopSign&, MemoryBudget&) : problem(of) {}
        const Problem& problem;
    };

    CutNodes(const Table& table, const TopK& top_k, StopSign&, MemoryBudget& memory)
        : builder(table.problem, memory),
          counter(builder, memory),
          candidates(table.problem, builder.reader(), top_k, memory) {}

    const SumReader<Sum>& reader() const { return builder.reader(); }

    void build_root(Node& root) {
        builder.build_root(root, [] { return false; });
    }

    /// Fill `chosen` with the splits that `node` may use; true if any were left out.
    bool choose(Node& node, std::uint32_t k, Vector<std::uint32_t>& chosen) {
        return candidates.choose(
            node, {node.splits.yes.data(), node.splits.width, node.rows.total.data()},
            k, chosen);
    }

    void part(const Node& node, std::uint32_t split, Partition& partition) {
        partition.split(node, split);
    }

    void build(const Node& node, Partition& partition, bool yes, Node& child) {
        partition.build(builder, node, yes, child);
    }

    /// What it takes to build a node and rank its splits.
    std::size_t nanoseconds(const Node& node) const {
        constexpr std::size_t per_score = 5;
        return node.nanoseconds() +
               per_score * node.splits.width * node.rows.total.size();
    }

    /// What the level of a child takes at most.
    std::uint64_t child_bytes(const Node& node, const Partition& partition,
                              std::uint64_t row_bytes,
                              std::uint64_t split_bytes) const {
        return ostrya::child_bytes(node, partition, row_bytes, split_bytes);
    }

    NodeBuilder<Sum> builder;
    PairCounter<Sum> counter;
    Candidates<Sum> candidates;
};

}  // namespace ostrya
