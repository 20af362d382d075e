/// Columns of ordered values, stored as ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "data/distinct_rows.hpp"

namespace ostrya {

/// A feature's distinct values in order, and the rank of every row among them.
struct Column {
    std::uint32_t feature = 0;
    std::vector<double> values;
    std::vector<std::uint32_t> ranks;

    std::uint32_t n_ranks() const { return static_cast<std::uint32_t>(values.size()); }
};

/// A column as the search sees it: local ranks, and the original rank each cut ends at.
struct SplitColumn {
    std::uint32_t feature = 0;
    /// Cut `r` sends original ranks <= cuts[r] to the yes side.
    std::vector<std::uint32_t> cuts;
    /// Local rank of each row, 0 .. cuts.size().
    std::vector<std::uint32_t> ranks;

    std::uint32_t n_ranks() const {
        return static_cast<std::uint32_t>(cuts.size()) + 1;
    }
};

/// A split of the search: which column, and which of its cuts.
struct Split {
    std::uint32_t column = 0;
    std::uint32_t cut = 0;
};

/// Rank the values of one feature.
Column rank_values(const double* values, std::size_t n_rows, std::uint32_t feature);

/// Tells whether to come back with what there is.
using StopCheck = std::function<bool()>;

/// Rank the values of every feature in the rows that differ; of fewer features if it is
/// stopped.
std::vector<Column> rank_columns(const Matrix& matrix, const DistinctRows& rows,
                                 const StopCheck& is_stopped);

/// A column with all its cuts, before any are dropped; it takes the ranks over.
SplitColumn all_cuts(Column& column);

/// A number that splits `below` from `above` by `x <= threshold`; their midpoint unless
/// rounding would put it on the wrong side.
double threshold_between(double below, double above);

}  // namespace ostrya
