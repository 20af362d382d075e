/// Prices by the keys of row groups, so that nodes need not say which groups they hold.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "data/row_hash.hpp"
#include "memory/budget.hpp"
#include "objective/price_scale.hpp"

namespace ostrya {

/// Keys are drawn at random, so their first bits are places in a table.
class PriceIndex {
public:
    explicit PriceIndex(MemoryBudget& memory) : entries_(memory) {}

    /// What the prices of so many rows take.
    static std::uint64_t bytes(std::size_t n_rows) {
        return size_for(n_rows) * sizeof(Entry);
    }

    /// Start over with these prices. False where two rows share half of their key,
    /// which nobody will ever see: then there is no index.
    bool fill(const Vector<RowHash>& keys, const Vector<Price>& prices) {
        assert(keys.size() == prices.size());
        const std::size_t size = size_for(keys.size());
        shift_ = 64 - std::countr_zero(size);
        entries_.assign(size, {});
        for (std::size_t row = 0; row < keys.size(); ++row) {
            std::size_t place = keys[row].low >> shift_;
            while (entries_[place].is_taken) {
                if (entries_[place].key == keys[row].low) return false;
                place = (place + 1) & (size - 1);
            }
            entries_[place] = {keys[row].low, prices[row], true};
        }
        return true;
    }

    Price operator[](const RowHash& key) const {
        std::size_t place = key.low >> shift_;
        while (entries_[place].key != key.low || !entries_[place].is_taken) {
            place = (place + 1) & (entries_.size() - 1);
        }
        return entries_[place].price;
    }

private:
    struct Entry {
        std::uint64_t key = 0;
        Price price = 0;
        bool is_taken = false;
    };
    static std::size_t size_for(std::size_t n_rows) {
        return std::bit_ceil(2 * n_rows + 2);
    }

    Vector<Entry> entries_;
    int shift_ = 0;
};

}  // namespace ostrya
