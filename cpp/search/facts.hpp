/// What all searches of one problem share: what was proved of its row sets, the trees
/// found, and what it took.
#pragma once

#include "search/memo.hpp"
#include "watch/result.hpp"

namespace ostrya {

struct Facts {
    Facts(MemoryBudget& memory, Switch depth_transfer)
        : pool(memory),
          // Rows, trees and scratch share the other half.
          memo(pool, memory, (memory.limit() - memory.used()) / 2, depth_transfer) {}

    SubtreePool pool;
    Memo memo;
    Statistics statistics;
};

}  // namespace ostrya
