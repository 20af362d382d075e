/// What prices of rows say of a node and of its splits (B10).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "bounds/row_prices.hpp"
#include "objective/price_scale.hpp"
#include "prices/price_index.hpp"
#include "search/level.hpp"

namespace ostrya {

class PriceBounds {
public:
    PriceBounds(const Problem& problem, const Switches& switches, MemoryBudget& memory)
        : row_prices_(switches.row_prices),
          scale_(problem),
          sums_(memory),
          node_prices_(memory) {}

    /// Go by these prices from now on.
    void use(std::shared_ptr<const PriceIndex> index, std::uint64_t version) {
        index_ = std::move(index);
        version_ = version;
    }
    /// Changes whenever prices do; 0 where there are none.
    std::uint64_t version() const { return version_; }

    /// What trees cost at least over rows that pay this together.
    Cost lower(std::int64_t sum) const { return price_lower(sum, scale_, row_prices_); }

    template <class Sum>
    Cost of_node(const Node<Sum>& node) const {
        std::int64_t sum = 0;
        for (const RowHash& key : node.rows.keys) sum += (*index_)[key];
        return lower(sum);
    }
    /// Raise the bounds of all splits of a node.
    template <class Sum>
    void raise(Level<Sum>& level);

private:
    template <class Sum>
    void add_bit_columns(const Node<Sum>& node);

    Switch row_prices_;
    PriceScale scale_;
    std::shared_ptr<const PriceIndex> index_;
    std::uint64_t version_ = 0;
    Vector<std::int64_t> sums_;  // scratch, per split
    Vector<Price> node_prices_;  // and per row
};

}  // namespace ostrya
