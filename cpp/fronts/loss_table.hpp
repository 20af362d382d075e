/// The loss of the caller's own, asked as seldom as can be.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "memory/budget.hpp"
#include "objective/cost.hpp"

namespace ostrya::fronts {

/// The loss never falls when either count grows. So a count between two known ones is
/// often settled by them, and a loss is asked for once.
class LossTable {
public:
    /// Loss on the grid; nothing when the caller has to be left alone from now on.
    using Ask = std::function<std::optional<Cost>(Weight, Weight)>;

    LossTable(Ask ask, MemoryBudget& memory) : ask_(std::move(ask)), known_(memory) {}

    std::optional<Cost> at(Weight false_positives, Weight false_negatives) {
        const Counts counts{false_positives, false_negatives};
        const auto place = known_.lower_bound(counts);
        if (place != known_.end() && place->first == counts) return place->second;
        const std::optional<Cost> loss = ask_(false_positives, false_negatives);
        if (loss) known_.emplace_hint(place, counts, *loss);
        return loss;
    }

    /// False only when the loss is `limit` or more.
    bool may_be_below(Weight false_positives, Weight false_negatives, Cost limit) {
        if (limit <= 0) return false;
        const Counts counts{false_positives, false_negatives};
        const auto above = known_.lower_bound(counts);
        if (above != known_.end() && above->first.first == false_positives) {
            if (above->first == counts || above->second < limit) {
                return above->second < limit;
            }
        }
        if (above != known_.begin()) {
            const auto below = std::prev(above);
            if (below->first.first == false_positives && below->second >= limit) {
                return false;
            }
        }
        const std::optional<Cost> loss = at(false_positives, false_negatives);
        return !loss || *loss < limit;
    }

private:
    using Counts = std::pair<Weight, Weight>;

    Ask ask_;
    std::map<Counts, Cost, std::less<>, Counted<std::pair<const Counts, Cost>>> known_;
};

}  // namespace ostrya::fronts
