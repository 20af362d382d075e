/// Prices beside the search: when they are sought, and what they say of nodes (B10).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bounds/row_prices.hpp"
#include "data/row_bits.hpp"
#include "node/node.hpp"
#include "prices/row_prices.hpp"

namespace ostrya {

/// Lower bounds of both children of a split.
struct SideBounds {
    Cost yes = 0, no = 0;
};

class PriceBounds {
public:
    PriceBounds(const Problem& problem, const Switch& row_prices, StopSign& stop,
                MemoryBudget& memory);

    /// Whether a problem is of the kind that prices help with.
    static bool may_help(const Problem& problem, const Switch& row_prices);

    /// Have `tell` called when prices of all rows have risen.
    void when_risen(std::function<void(Cost)> tell) { tell_ = std::move(tell); }
    /// What the best tree of the root costs so far.
    void set_upper(Cost upper) { upper_ = upper; }

    /// Seek prices for as long as the search has taken since the last time, if that is
    /// enough to be worth it.
    void keep_pace();

    /// Changes whenever prices do; 0 where there are none.
    std::uint64_t version() const { return prices_ ? prices_->version() : 0; }

    template <class Sum>
    Cost of_node(const Node<Sum>& node) const {
        return lower(sum_of(node));
    }
    /// Of the children of a node, who answers yes being told by `mask`.
    template <class Sum>
    SideBounds of_sides(const Node<Sum>& node, const Vector<std::uint64_t>& mask) const {
        const Vector<Price>& prices = prices_->prices();
        std::int64_t yes = 0;
        for (std::uint32_t word = 0; word < node.rows.n_words; ++word) {
            for_each_bit(mask[word], word, [&](std::uint32_t row) {
                yes += prices[node.rows.groups[row]];
            });
        }
        return {lower(yes), lower(sum_of(node) - yes)};
    }

private:
    template <class Sum>
    std::int64_t sum_of(const Node<Sum>& node) const {
        const Vector<Price>& prices = prices_->prices();
        std::int64_t sum = 0;
        for (const std::uint32_t group : node.rows.groups) sum += prices[group];
        return sum;
    }
    Cost lower(std::int64_t sum) const {
        return price_lower(sum, prices_->scale(), row_prices_);
    }

    const Problem& problem_;
    Switch row_prices_;
    StopSign& stop_;
    MemoryBudget& memory_;
    std::unique_ptr<RowPrices> prices_;  // none until the search has gone on for a while
    std::function<void(Cost)> tell_;
    Cost upper_ = unreachable;
    bool may_help_;
    std::uint64_t next_work_;     // of the search, at which prices are sought again
    std::uint64_t own_work_ = 0;  // told to the stop sign while prices were sought
};

}  // namespace ostrya
