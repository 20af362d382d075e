/// The problem the search works on: merged rows, their gains, and what a leaf costs.
///
/// Each row group `u` has a loss for every label it could be given. The least of them
/// is lost whatever the tree (equivalent points); it is summed once into `base` and
/// taken out. What is left is kept as gains: gain[u][k] = worst loss - loss of label k.
/// The potential of a group is its largest gain. So for any set of rows
///     loss above base = potential - max_k gain_k,
/// and for two classes simply min(gain_0, gain_1). Any additive loss has this form:
/// weights, class weights and cost matrices differ in the numbers only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/columns.hpp"
#include "data/groups.hpp"
#include "data/row_hash.hpp"
#include "objective/cost.hpp"
#include "objective/limits.hpp"

namespace ostrya {

/// What the caller wants solved, already validated and on the integer grid.
struct Request {
    Matrix values;  // rows x features
    const std::int32_t* codes = nullptr;
    const std::int64_t* weights = nullptr;
    std::size_t weight_step = 1;              // 0: one weight for all rows
    const std::int64_t* costs = nullptr;      // n_labels x n_labels, true x predicted
    const std::int32_t* reference = nullptr;  // optional labels of a reference model
    std::size_t n_labels = 0;
    CostScale scale;
    Limits limits;
    std::uint32_t min_samples_leaf = 1;
    /// Children whose potential is at most this are never needed (bound 3); -1: off.
    Weight support_floor = 0;
    /// Up to how many cuts a column is spread into bits; by default as measured.
    std::optional<std::uint32_t> few_cuts;
    /// Whether pairs are counted in cross tables; by default as measured.
    std::optional<bool> cross_tables;
    /// Splits compete by name (Top-k): columns that part the rows alike are all kept,
    /// and so is what every class weighs.
    bool ranks_splits = false;

    Weight weight(std::size_t row) const { return weights[row * weight_step]; }
};

/// Which numbers are summed over rows, and where they stand.
struct SumLayout {
    std::uint32_t n_labels = 2;
    bool counts_rows = false;
    /// Class masses at the end, where splits are ranked and gains are not masses.
    std::uint32_t n_masses = 0;

    /// Two classes without a row count: gains alone, since potential = gain_0 + gain_1.
    bool is_binary() const { return n_labels == 2 && !counts_rows; }
    std::uint32_t potential_slot() const { return n_labels; }
    std::uint32_t count_slot() const { return n_labels + 1; }
    /// Where the mass of the first class stands; the others follow.
    std::uint32_t mass_slot() const { return n_masses == 0 ? 0 : size() - n_masses; }
    std::uint32_t size() const {
        return (is_binary() ? 2 : n_labels + 1 + (counts_rows ? 1 : 0)) + n_masses;
    }
    /// Whether rows that are indifferent to their label matter all the same.
    bool keeps_every_row() const { return counts_rows || n_masses > 0; }
};

struct Problem {
    std::vector<std::uint32_t> rows;          // one of each kind, as input rows
    std::vector<std::vector<double>> values;  // the distinct ones of every feature
    std::vector<SplitColumn> splits;
    std::size_t n_groups = 0;
    std::vector<Weight> sums;   // n_groups x layout.size()
    std::vector<RowHash> keys;  // identity of each group
    SumLayout layout;
    Weight base = 0;  // loss that no tree avoids
    Weight potential = 0;
    CostScale scale;
    Limits limits;
    std::uint32_t min_samples_leaf = 1;
    Weight support_floor = 0;
    std::optional<std::uint32_t> few_cuts;
    std::optional<bool> cross_tables;
    bool ranks_splits = false;
    /// False when time ran out before all columns were ranked: there are no splits
    /// then.
    bool is_complete = true;

    std::size_t n_cuts() const {
        std::size_t n = 0;
        for (const SplitColumn& column : splits) n += column.cuts.size();
        return n;
    }
};

/// Build the problem; `is_stopped` is asked now and then.
Problem build_problem(const Request& request, const StopCheck& is_stopped);

}  // namespace ostrya
