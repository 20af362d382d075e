/// A tree that an engine found, in terms of the input columns.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/problem.hpp"

namespace ostrya {

/// A tree as nodes in preorder; a leaf has no split.
struct FoundTree {
    struct Node {
        bool is_leaf = true;
        std::uint32_t feature = 0;
        double cut = 0;  // values up to this one answer yes
        std::uint32_t yes = 0;
        std::uint32_t no = 0;
    };
    std::vector<Node> nodes;
};

/// The threshold of each split of a found tree, as features and numbers.
struct Thresholds {
    std::vector<std::int32_t> feature;  // -1 at leaves
    std::vector<double> threshold;      // not a number at leaves
};

/// Thresholds half-way between the values of the rows they separate.
Thresholds thresholds_of(const FoundTree& tree, const Matrix& values,
                         const Vector<std::uint32_t>& rows);

}  // namespace ostrya
