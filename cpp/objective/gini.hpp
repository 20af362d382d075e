/// Gini's measure of how mixed a set of rows is.
#pragma once

#include <cstdint>

namespace ostrya {

/// The squares of the class masses over their sum: the mass less its Gini impurity.
/// `mass_of(label)` is what a class weighs in the set.
template <class MassOf>
double gini_purity(std::uint32_t n_labels, const MassOf& mass_of) {
    double sum = 0, squares = 0;
    for (std::uint32_t label = 0; label < n_labels; ++label) {
        const auto mass = static_cast<double>(mass_of(label));
        sum += mass;
        squares += mass * mass;
    }
    return sum > 0 ? squares / sum : 0;
}

}  // namespace ostrya
