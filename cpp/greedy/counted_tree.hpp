/// A tree counted on all rows, and cut back to what pays.
#pragma once

#include "objective/found_tree.hpp"
#include "objective/label_masses.hpp"

namespace ostrya {

struct CountedTree {
    FoundTree tree;
    Cost cost = 0;  // of all rows, penalties included
    std::uint32_t n_leaves = 1;
};

/// Count a tree, whose children stand after their parents, on all rows. A split stays
/// where it lowers the cost and either side has enough rows for a leaf.
CountedTree count_and_prune(const FoundTree& grown, const Request& request,
                            LabelLosses& losses, MemoryBudget& memory);

}  // namespace ostrya
