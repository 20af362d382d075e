/// What all searches of one problem share: what was proved of its row sets, the trees
/// found, and what it took.
#pragma once

#include <cstdint>

#include "search/memo.hpp"
#include "watch/result.hpp"

namespace ostrya {

/// What is known of trees that are less deep than the limits allow.
struct DepthFacts {
    std::uint32_t proved = 0;  // no tree of this depth beats the best one known
    Cost lower = 0;            // of the trees one level deeper; 0 where none is known
};

struct Facts {
    Facts(MemoryBudget& memory, Switch depth_transfer)
        : pool(memory),
          // Rows, trees and scratch share the other half.
          memo(pool, memory, (memory.limit() - memory.used()) / 2, depth_transfer) {}

    SubtreePool pool;
    Memo memo;
    DepthFacts depths;
    Statistics statistics;
};

}  // namespace ostrya
