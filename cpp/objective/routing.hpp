/// Rows sent down a tree, and sums sent up: what counts and predicts, apart from any
/// search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ostrya {

/// Rows of numbers where the caller keeps them, in whatever order and direction.
struct RowView {
    const double* data = nullptr;
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    std::ptrdiff_t row_step = 0;
    std::ptrdiff_t column_step = 0;
};

/// A tree as arrays in preorder; a leaf has feature -1.
struct TreeArrays {
    const std::int32_t* feature = nullptr;
    const double* threshold = nullptr;
    const std::int32_t* yes = nullptr;
    const std::int32_t* no = nullptr;
    std::size_t n_nodes = 0;
};

/// A tree made ready to send rows through it. It belongs to no search, so its vectors
/// are on no budget.
class Router {
public:
    /// Throws std::invalid_argument unless every child comes after its parent: no row
    /// then leaves the tree or walks for ever.
    explicit Router(const TreeArrays& tree);

    std::size_t n_nodes() const { return steps_.size(); }

    /// The leaf that each row reaches. The rows have the columns that are asked about,
    /// else std::invalid_argument is thrown.
    void find_leaves(const RowView& rows, std::int32_t* leaves) const;

    /// Add each row to its leaf and class, in counts of n_nodes x n_classes. Throws as
    /// above, and where a code is no class.
    void count_rows(const RowView& rows, const std::int32_t* codes,
                    std::size_t n_classes, double* counts) const;

    /// True when a column that is asked about holds what is not a number.
    bool asks_about_nan(const RowView& rows) const;

    /// Turn numbers of leaves into those of all nodes, n_nodes x width: the number of
    /// a split is the sum of those of its children.
    void add_up(double* sums, std::size_t width) const;

private:
    /// A node in one place. A leaf asks anything and leads to itself, so that rows
    /// which have arrived can wait for others.
    struct Step {
        double threshold;
        std::int32_t feature;
        std::int32_t next[2];  // if the answer is no, and if it is yes
    };

    std::vector<Step> steps_;
    std::vector<std::int32_t> asked_;  // the features, ascending
    std::size_t n_levels_ = 0;         // most questions asked of a row
};

/// The depth of each node of a tree in preorder, from the features alone.
std::vector<std::int32_t> depths_of(const std::int32_t* feature, std::size_t n_nodes);

}  // namespace ostrya
