/// Nodes that count every cut: those of the exact search, for columns with few cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"
#include "search/options.hpp"
#include "pairs/pair_counter.hpp"
#include "node/partition.hpp"
#include "search/branching.hpp"
#include "top_k/candidates.hpp"
#include "watch/stop.hpp"

namespace ostrya {

template <class SumType>
struct CutNodes {
    using Sum = SumType;
    using Node = ostrya::Node<Sum>;
    using Parting = ostrya::Parting<Sum>;

    /// The last two levels are counted for all splits at once.
    static constexpr bool counts_pairs = true;

    CutNodes(const Problem& problem, const TopK& top_k, StopSign&)
        : builder(problem),
          counter(problem, builder),
          candidates(problem, builder.reader(), top_k) {}

    const SumReader<Sum>& reader() const { return builder.reader(); }

    void build_root(Node& root) { builder.build_root(root); }

    /// Fill `chosen` with the splits that `node` may use; true if any were left out.
    bool choose(Node& node, std::uint32_t k, std::vector<std::uint32_t>& chosen) {
        return candidates.choose(node, {node.yes.data(), node.width, node.total.data()},
                                 k, chosen);
    }

    void part(const Node& node, std::uint32_t split, Parting& parting) {
        parting.take(node, split);
    }

    void build(const Node& node, Parting& parting, bool yes, Node& child) {
        parting.build(builder, node, yes, child);
    }

    /// What the level of a child takes at most.
    template <class Level>
    std::uint64_t bytes_below(const Level& level) const {
        return child_bytes(level);
    }

    std::size_t bytes() const {
        return builder.bytes() + counter.bytes() + candidates.bytes();
    }

    NodeBuilder<Sum> builder;
    PairCounter<Sum> counter;
    Candidates<Sum> candidates;
};

}  // namespace ostrya
