/// The training rows as the leaf-set engine sees them: merged, with the loss of every
/// label.
#pragma once

#include <algorithm>
#include <cstdint>

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

/// The sums over some rows, by their names.
struct Sums {
    const Weight* first = nullptr;
    Layout layout;

    /// Loss under a label.
    Weight operator[](std::uint32_t label) const { return first[label]; }
    Weight least_loss() const {
        return *std::min_element(first, first + layout.n_labels);
    }
    Weight floor() const { return first[layout.floor()]; }
    Weight worst() const { return first[layout.worst()]; }
    Weight rows() const { return first[layout.rows()]; }
};

struct Table {
    explicit Table(MemoryBudget& memory)
        : rows(memory),
          values(memory),
          splits(memory),
          sums(memory),
          totals(memory),
          keys(memory) {}

    Vector<std::uint32_t> rows;     // one of each kind, as input rows
    Vector<Vector<double>> values;  // the distinct ones of every feature
    Vector<SplitColumn> splits;     // features with a cut, by groups
    Layout layout;
    std::size_t n_groups = 0;
    Vector<Weight> sums;    // n_groups x layout.size()
    Vector<Weight> totals;  // layout.size()
    Vector<RowHash> keys;
    /// False where it was stopped: all rows are one group then, and there is no split.
    bool is_complete = true;

    Sums group(std::size_t index) const {
        return {sums.data() + index * layout.size(), layout};
    }
};

/// Merge equal rows. With two labels the groups stand in order of the loss of the
/// first label over that of the second, greatest first: the order of a ROC curve.
///
/// `merged_bounds`: floor and worst loss are those of merged rows (equivalent points);
/// otherwise of each row by itself.
///
/// `is_stopped` is asked now and then. A table that is not complete is good for a lone
/// leaf, and for no conclusion about other trees.
Table build_table(const Request& request, bool merged_bounds, MemoryBudget& memory,
                  const StopCheck& is_stopped);

}  // namespace ostrya::leaf_sets
