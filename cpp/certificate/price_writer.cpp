#include "certificate/price_writer.hpp"

#include <algorithm>
#include <numeric>

#include "certificate/box_writer.hpp"
#include "prices/rank_table.hpp"
#include "prices/row_prices.hpp"

namespace ostrya::certificate {
namespace {

/// Prices are lowered to these shares, in thousandths, where their proof takes too
/// long: boxes that are nearly paid too much are what it takes long over.
constexpr std::int64_t shares[] = {1000, 990, 960, 900};

/// Groups in the order in which a certificate numbers them.
Vector<std::uint32_t> canonical_order(const GroupTable& table, MemoryBudget& memory) {
    Vector<std::uint32_t> order(table.n_groups(), 0, memory);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto x = table.cells_of(a), y = table.cells_of(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    return order;
}

/// Trees this shallow are proved faster than prices are found.
constexpr std::uint32_t shallow = 5;

std::int64_t scaled(std::int64_t cost, int shift) {
    return shift >= 0 ? cost << shift : cost;
}

/// Write prices and the search over boxes; false if that takes too much work.
bool write_with_proof(const Problem& problem, const GroupTable& table,
                      const Vector<Price>& prices, int shift, std::int64_t work,
                      StopSign& stop, MemoryBudget& memory, ProofBytes& bytes) {
    bytes.add(1);
    bytes.add_signed(shift);
    for (const std::uint32_t group : canonical_order(table, memory)) {
        bytes.add_signed(prices[group]);
    }
    const std::uint32_t n_labels = problem.layout.n_labels;
    Vector<std::int64_t> worth(problem.n_groups, 0, memory);
    BoxWriter boxes(table, bytes, stop, memory);
    for (std::uint32_t label = 0; label < n_labels; ++label) {
        for (std::size_t group = 0; group < problem.n_groups; ++group) {
            const Weight* gains = problem.sums.data() + group * problem.layout.size();
            const Weight most = *std::max_element(gains, gains + n_labels);
            const Cost loss = problem.scale.factor * (most - gains[label]);
            const auto paid = std::int64_t{prices[group]} << std::max(-shift, 0);
            worth[group] = paid - scaled(loss, shift);
        }
        if (!boxes.write(worth, scaled(problem.scale.penalty, shift), work))
            return false;
    }
    return true;
}

}  // namespace

std::optional<Vector<Price>> write_prices(const Problem& problem,
                                          const GroupTable& table, Cost bound,
                                          std::int64_t work, StopSign& stop,
                                          MemoryBudget& memory, ProofBytes& bytes) {
    const PriceScale scale(problem);
    if (scale.penalty == 0 || work <= 0 ||
        problem.limits.reachable_depth() <= shallow || !RankTable::holds(problem) ||
        !memory.allows(2 * price_bytes(problem, Tuning::Prices().few_cuts))) {
        return {};
    }
    Vector<Price> found(memory);
    {
        RowPrices prices(problem, memory);
        std::int64_t left = work;
        while (left > 0 && !prices.is_settled() && !stop.is_up() &&
               !memory.is_exceeded()) {
            prices.improve(bound, left, stop);
        }
        if (prices.sum() <= 0 || stop.has_stopped()) return {};
        found = prices.prices();
    }
    for (const std::int64_t share : shares) {
        Vector<Price> lowered = found;
        for (Price& price : lowered) {
            // Prices below zero fall as well, so that no box is paid more.
            const std::int64_t part = price * share;
            price = static_cast<Price>(part >= 0 ? part / 1000 : price);
        }
        ProofBytes written(memory);
        if (write_with_proof(problem, table, lowered, scale.shift, 4 * work, stop,
                             memory, written)) {
            bytes.append(written);
            return lowered;
        }
        if (stop.has_stopped() || memory.is_exceeded()) break;
    }
    return {};
}

}  // namespace ostrya::certificate
