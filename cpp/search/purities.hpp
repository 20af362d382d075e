/// How pure the children of splits are, by Gini: it tells progress where no single
/// split lowers the loss.
#pragma once

#include <cstdint>
#include <utility>

#include "memory/budget.hpp"
#include "node/node.hpp"
#include "objective/problem.hpp"

namespace ostrya {

template <class Sum>
class Purities {
public:
    Purities(const Problem& problem, MemoryBudget& memory)
        : problem_(problem),
          yes_(memory),
          no_(memory),
          purities_(memory),
          of_columns_(memory) {}

    /// The split whose children are purest, the first of equals; `none` if there is no
    /// split.
    std::uint32_t purest(const Node<Sum>& node);

    /// The purest split of each column that has one, purest first. The list is the
    /// caller's: while it is gone through, children are asked for theirs.
    Vector<std::uint32_t> purest_of_columns(const Node<Sum>& node);

private:
    /// What one side of each split weighs, and the squares of its labels' weights.
    struct Side {
        explicit Side(MemoryBudget& memory) : sums(memory), squares(memory) {}

        double purity(std::uint32_t split) const {
            return sums[split] > 0 ? squares[split] / sums[split] : 0;
        }

        Vector<double> sums, squares;
    };

    /// Splits whose purities are found together; those of all splits of a wide node
    /// would take several times what the node does.
    static constexpr std::uint32_t most_at_once = 4096;

    /// Call `use(split, purity)` for every split.
    template <class Use>
    void for_each_split(const Node<Sum>& node, const Use& use);
    void find(const Node<Sum>& node, std::uint32_t first, std::uint32_t n);

    const Problem& problem_;
    // All of it is scratch.
    Side yes_, no_;
    Vector<double> purities_;
    Vector<std::pair<double, std::uint32_t>> of_columns_;
};

}  // namespace ostrya
