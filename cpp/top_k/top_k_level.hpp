/// Everything a node of the Top-k search keeps while it is open.
#pragma once

#include <cstdint>

#include "memory/budget.hpp"

namespace ostrya {

template <class Nodes>
struct TopKLevel {
    TopKLevel(const Nodes& of, MemoryBudget& memory)
        : nodes(of),
          row_memory(&memory),
          split_memory(&memory),
          node(row_memory, split_memory),
          partition(row_memory),
          candidates(split_memory),
          open(split_memory) {}

    const Nodes& nodes;
    MemoryBudget row_memory, split_memory;
    typename Nodes::Node node;
    typename Nodes::Partition partition;  // by the candidate being explored
    Vector<std::uint32_t> candidates;     // splits the node may use, best first
    Vector<std::uint32_t> open;           // those of them that are yet to be explored

    std::uint64_t bytes() const { return row_memory.used() + split_memory.used(); }
    std::uint64_t child_bytes() const {
        return nodes.child_bytes(node, partition, row_memory.used(),
                                 split_memory.used());
    }
    void forget() {}  // all that was learned is in the memo
};

}  // namespace ostrya
