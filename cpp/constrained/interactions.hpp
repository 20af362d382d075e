/// Which features may follow each other on a path of a tree.
///
/// A path may ask about the features of one group. Of a path, only the groups that hold
/// all features asked so far matter: such a set of groups is a *state*, and states are
/// numbered as they are met.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace ostrya::constrained {

class Interactions {
public:
    /// Groups of features; none: all features may follow each other.
    Interactions(std::vector<std::vector<std::uint32_t>> groups,
                 std::uint32_t n_features);

    static constexpr std::uint32_t start = 0;  // the state of the root

    bool allows(std::uint32_t state, std::uint32_t feature) const {
        return states_[state].allowed[feature] != 0;
    }
    /// The state below a question about a feature that is allowed.
    std::uint32_t below(std::uint32_t state, std::uint32_t feature);
    /// True if every feature is allowed everywhere.
    bool are_free() const { return are_free_; }

private:
    using Groups = std::vector<std::uint32_t>;  // ascending

    struct State {
        Groups groups;
        std::vector<std::uint8_t> allowed;  // by feature
        std::vector<std::uint32_t> below;   // by feature; `unknown` at first
    };
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    std::uint32_t number_of(Groups groups);
    bool is_part(std::uint32_t one, std::uint32_t other, std::uint32_t n_asked) const;

    std::vector<std::vector<std::uint8_t>> members_;  // group x feature
    std::vector<State> states_;
    std::map<Groups, std::uint32_t> numbers_;
    bool are_free_;
};

}  // namespace ostrya::constrained
