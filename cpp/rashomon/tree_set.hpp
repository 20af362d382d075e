/// The counted trees of a problem: how many there are of each kind, and any one of them
/// by its place in order.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rashomon/enumeration.hpp"
#include "rashomon/questions.hpp"

namespace ostrya::rashomon {

/// Trees of one cost and number of leaves.
struct Kind {
    Cost cost = 0;
    std::uint32_t leaves = 0;
    std::vector<std::uint32_t> count;  // words of 32 bits, least first
};

/// A tree in preorder: columns of the problem's splits and their cuts; -1 at leaves.
struct ListedTree {
    std::vector<std::int32_t> column, cut, yes, no;
};

/// Rows to be predicted by all trees.
struct NewRows {
    /// The rank of each row in every column of the problem's splits, row by row: the
    /// number of cuts that it lies beyond.
    std::span<const std::uint32_t> ranks;
    std::size_t n_rows = 0;
    /// What each class weighs in each group of training rows; empty: a leaf predicts
    /// its label alone, not the shares of the classes.
    std::span<const double> masses;
};

/// The order of trees: by cost, then by leaves. Of trees that agree in both, a lone
/// leaf comes first; then they go by the column of the first question, by its
/// threshold, by the leaves, loss and place of the yes subtree, and by the place of the
/// no subtree.
class TreeSet {
public:
    virtual ~TreeSet() = default;

    /// As of `Enumeration`.
    virtual bool count_to(Cost most) = 0;
    virtual Cost complete_to() const = 0;
    /// Of all trees, in order.
    virtual std::vector<Kind> kinds() = 0;
    /// A tree by its place among those of its kind.
    virtual ListedTree tree(Cost cost, std::uint32_t leaves,
                            const std::vector<std::uint32_t>& place) = 0;
    /// What trees predict of each row on average: rows x labels. Nothing if stopped.
    virtual std::vector<double> predict(const NewRows& rows,
                                        const std::function<bool()>& is_stopped) = 0;
    virtual std::size_t n_row_sets() const = 0;
};

/// Throws `CountOverflow` if counts take more bits than `bits`, of which there are 64,
/// 128 and 0 for any number.
std::unique_ptr<TreeSet> make_tree_set(const Problem& problem, const Request& request,
                                       int bits, StopSign& stop, MemoryBudget& memory);

}  // namespace ostrya::rashomon
