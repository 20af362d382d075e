/// What all searches of one problem share: what was proved of its row sets, and the
/// trees found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "search/memo.hpp"
#include "search/shared_prices.hpp"
#include "search/work_hints.hpp"

namespace ostrya {

/// What is known of trees that are less deep than the limits allow.
class ProvedDepths {
public:
    /// No tree of this depth beats the best one known.
    std::uint32_t proved() const { return proved_; }

    /// All trees of this depth are accounted for. The bound belonged to trees of this
    /// depth, and deeper ones may cost less.
    void prove(std::uint32_t depth) {
        if (depth <= proved_) return;
        proved_ = depth;
        next_lower_ = 0;
    }
    /// No tree one level deeper than what is proved costs less than this.
    void raise_next(Cost lower) { next_lower_ = std::max(next_lower_, lower); }

    /// The depth that an earlier search has proved. It is reported from the start, but
    /// the search itself relies on it only once `prove` is called: its first trees
    /// must be those of a search that begins with nothing.
    void set_earlier(std::uint32_t depth) { earlier_ = depth; }
    std::uint32_t earlier() const { return earlier_; }

    /// What to report: the depth that either search has proved, and the bound of trees
    /// one level deeper than that.
    std::uint32_t reported() const { return std::max(proved_, earlier_); }
    Cost reported_next_lower() const { return earlier_ > proved_ ? 0 : next_lower_; }

private:
    std::uint32_t proved_ = 0;
    std::uint32_t earlier_ = 0;
    Cost next_lower_ = 0;
};

struct SharedFacts {
    SharedFacts(MemoryBudget& memory, Switch depth_transfer, bool is_shared = false)
        : pool(memory, is_shared),
          // Rows, trees and scratch share the other half.
          memo(pool, memory, memory.left() / 2, depth_transfer, is_shared),
          hints(is_shared ? std::make_unique<WorkHints>() : nullptr) {}

    SubtreePool pool;
    Memo memo;
    ProvedDepths depths;
    Bracket known;  // of the root, by an earlier search; not changed by this one
    SharedPrices prices;
    std::unique_ptr<WorkHints> hints;  // none where there is one thread
};

}  // namespace ostrya
