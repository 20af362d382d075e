/// The claims that are complete, and so may be referred to.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "certificate/cuts.hpp"

namespace ostrya::certificate {

struct FinishedClaim {
    std::uint32_t number = 0;
    Cost bound = 0;
    Limits limits;  // under which it holds
};

class FinishedClaims {
public:
    FinishedClaims(Cost penalty, MemoryBudget& memory)
        : penalty_(penalty),
          claims_(0, HashOfRows(), std::equal_to<RowHash>(),
                  typename Claims::allocator_type(memory)) {}

    void add(const RowHash& rows, std::uint32_t number, Limits limits, Cost bound) {
        claims_.emplace(rows, FinishedClaim{number, bound, reach_of(limits, bound)});
    }

    /// A claim about these rows with such a bound, under limits that are not tighter.
    std::optional<FinishedClaim> find(const RowHash& rows, Limits limits,
                                      Cost bound) const {
        const auto [begin, end] = claims_.equal_range(rows);
        for (auto at = begin; at != end; ++at) {
            const FinishedClaim& claim = at->second;
            if (claim.bound >= bound && limits.within(claim.limits)) return claim;
        }
        return {};
    }

private:
    using Claims =
        std::unordered_multimap<RowHash, FinishedClaim, HashOfRows,
                                std::equal_to<RowHash>,
                                Counted<std::pair<const RowHash, FinishedClaim>>>;

    /// The limits under which a claim with this bound holds: trees with more leaves
    /// than its penalties pay for cost no less anyway.
    Limits reach_of(Limits limits, Cost bound) const {
        if (penalty_ == 0) return limits;
        const Cost most_leaves = (bound + penalty_ - 1) / penalty_ - 1;
        if (limits.depth != Limits::unlimited && limits.depth >= most_leaves - 1) {
            limits.depth = Limits::unlimited;
        }
        if (limits.leaves != Limits::unlimited && limits.leaves >= most_leaves) {
            limits.leaves = Limits::unlimited;
        }
        return limits;
    }

    Cost penalty_;
    Claims claims_;
};

}  // namespace ostrya::certificate
