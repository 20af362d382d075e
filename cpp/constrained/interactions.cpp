#include "constrained/interactions.hpp"

#include <algorithm>
#include <cassert>

namespace ostrya::constrained {

Interactions::Interactions(std::vector<std::vector<std::uint32_t>> groups,
                           std::uint32_t n_features)
    : are_free_(groups.empty()) {
    if (are_free_) {
        members_.emplace_back(n_features, 1);
    }
    for (const std::vector<std::uint32_t>& group : groups) {
        members_.emplace_back(n_features, 0);
        for (const std::uint32_t feature : group) {
            if (feature < n_features) members_.back()[feature] = 1;
        }
    }
    // A group within another one allows nothing more; of equal groups the first stays.
    Groups kept;
    for (std::uint32_t one = 0; one < members_.size(); ++one) {
        bool is_needed = true;
        for (std::uint32_t other = 0; other < members_.size(); ++other) {
            if (one == other || !is_part(one, other, n_features)) continue;
            if (other < one || !is_part(other, one, n_features)) is_needed = false;
        }
        if (is_needed) kept.push_back(one);
    }
    number_of(std::move(kept));
}

bool Interactions::is_part(std::uint32_t one, std::uint32_t other,
                           std::uint32_t n_features) const {
    for (std::uint32_t feature = 0; feature < n_features; ++feature) {
        if (members_[one][feature] > members_[other][feature]) return false;
    }
    return true;
}

std::uint32_t Interactions::number_of(Groups groups) {
    const auto next = static_cast<std::uint32_t>(states_.size());
    const auto [at, is_new] = numbers_.emplace(groups, next);
    if (!is_new) return at->second;
    const std::size_t n_features = members_.front().size();
    State state{std::move(groups), std::vector<std::uint8_t>(n_features, 0),
                std::vector<std::uint32_t>(n_features, unknown)};
    for (const std::uint32_t group : state.groups) {
        for (std::size_t feature = 0; feature < n_features; ++feature) {
            state.allowed[feature] |= members_[group][feature];
        }
    }
    states_.push_back(std::move(state));
    return next;
}

std::uint32_t Interactions::below(std::uint32_t state, std::uint32_t feature) {
    assert(allows(state, feature));
    if (states_[state].below[feature] == unknown) {
        Groups groups;
        for (const std::uint32_t group : states_[state].groups) {
            if (members_[group][feature] != 0) groups.push_back(group);
        }
        const std::uint32_t number = number_of(std::move(groups));
        states_[state].below[feature] = number;
    }
    return states_[state].below[feature];
}

}  // namespace ostrya::constrained
