/// The usable cuts of a subproblem as its claim sees them, and what carries bounds from
/// one to the next.
#pragma once

#include <cstdint>
#include <optional>

#include "certificate/group_table.hpp"
#include "node/node.hpp"

namespace ostrya::certificate {

/// A usable cut of a subproblem, and the lower bounds known of its sides.
struct Cut {
    Split split;
    std::uint32_t number = 0;   // in the certificate
    std::uint32_t at = none;    // in the node of the search
    bool is_turned = false;     // whose split has the sides exchanged
    std::uint32_t same = none;  // number of an earlier cut that parts alike
    Weight potential = 0;       // of the yes side
    Weight yes_loss = 0, no_loss = 0;
    Cost yes_price = 0, no_price = 0;
    Cost yes = 0, no = 0;
    bool is_settled = false;  // by shares of leaves

    bool is_open(Cost bound) const { return !is_settled && yes + no < bound; }
};

/// The bound of a set of groups that needs no evidence.
inline Cost simple_bound(Weight loss, Cost price, Limits limits,
                         const CostScale& scale) {
    const Cost leaf = scale.cost(loss, 1);
    if (limits.depth == 0 || limits.leaves == 1) return leaf;
    return std::max(price, std::min(leaf, 2 * scale.penalty));
}

/// Carry bounds along the cuts of one column, as a checker does at the end of a claim.
void carry_bounds(std::span<Cut> column, Cost factor);

struct HashOfRows {
    std::size_t operator()(const RowHash& rows) const { return rows.low; }
};

class CutLister {
public:
    CutLister(const Problem& problem, GroupTable& table, MemoryBudget& memory)
        : scale_(problem.scale),
          price_scale_(problem),
          table_(table),
          usable_(memory),
          sides_(memory),
          yes_prices_(memory) {}

    /// Have sides cost at least what they are paid by these prices.
    void use_prices(Vector<Price> prices) { prices_ = std::move(prices); }

    /// List the usable cuts of a node in the order of their numbers; none where prices
    /// alone show the bound. Their sides are under the limits `below`.
    template <class Sum>
    void list(const Node<Sum>& node, const Groups& groups, Limits below, Cost bound,
              Vector<Cut>& out);

private:
    template <class Sum>
    void match(const Node<Sum>& node, const Groups& groups, Vector<Cut>& cuts);

    CostScale scale_;
    PriceScale price_scale_;
    GroupTable& table_;
    std::optional<Vector<Price>> prices_;
    Vector<UsableCut> usable_;  // scratch
    Vector<RowHash> sides_;
    Vector<std::int64_t> yes_prices_;
};

}  // namespace ostrya::certificate
