/// The training rows as the leaf-set engine sees them: merged, with the loss of every
/// label.
#pragma once

#include <cstdint>
#include <vector>

#include "data/columns.hpp"
#include "data/row_hash.hpp"
#include "objective/problem.hpp"

namespace ostrya::leaf_sets {

/// Sums over rows. The labels' losses come first, then what stands in these slots.
struct Layout {
    std::uint32_t n_labels = 2;

    std::uint32_t floor() const { return n_labels; }      // loss that no tree avoids
    std::uint32_t worst() const { return n_labels + 1; }  // most that labels can lose
    std::uint32_t rows() const { return n_labels + 2; }
    std::uint32_t size() const { return n_labels + 3; }
};

struct Table {
    std::vector<std::uint32_t> rows;          // one of each kind, as input rows
    std::vector<std::vector<double>> values;  // the distinct ones of every feature
    std::vector<SplitColumn> splits;          // features with a cut, by groups
    Layout layout;
    std::size_t n_groups = 0;
    std::vector<Weight> sums;    // n_groups x layout.size()
    std::vector<Weight> totals;  // layout.size()
    std::vector<RowHash> keys;

    const Weight* group(std::size_t index) const {
        return sums.data() + index * layout.size();
    }
};

/// Merge equal rows. With two labels the groups stand in order of the loss of the
/// first label over that of the second, greatest first: the order of a ROC curve.
///
/// `merged_bounds`: floor and worst loss are those of merged rows (equivalent points);
/// otherwise of each row by itself.
Table build_table(const Request& request, bool merged_bounds);

}  // namespace ostrya::leaf_sets
