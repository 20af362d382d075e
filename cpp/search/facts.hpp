/// What all searches of one problem share: what was proved of its row sets, and the
/// trees found.
#pragma once

#include <cstdint>
#include <memory>

#include "search/claims.hpp"
#include "search/memo.hpp"
#include "search/price_shelf.hpp"

namespace ostrya {

/// What is known of trees that are less deep than the limits allow.
struct DepthFacts {
    std::uint32_t proved = 0;  // no tree of this depth beats the best one known
    Cost lower = 0;            // of the trees one level deeper; 0 where none is known
};

struct Facts {
    Facts(MemoryBudget& memory, Switch depth_transfer, bool is_shared = false)
        : pool(memory, is_shared),
          // Rows, trees and scratch share the other half.
          memo(pool, memory, memory.left() / 2, depth_transfer, is_shared),
          claims(is_shared ? std::make_unique<Claims>() : nullptr) {}

    SubtreePool pool;
    Memo memo;
    DepthFacts depths;
    Bracket known;  // of the root, by an earlier search; not changed by this one
    PriceShelf prices;
    std::unique_ptr<Claims> claims;  // none where there is one thread
};

}  // namespace ostrya
