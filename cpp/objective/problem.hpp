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

#include "data/columns.hpp"
#include "data/groups.hpp"
#include "data/row_hash.hpp"
#include "objective/request.hpp"

namespace ostrya {

/// Which numbers are summed over rows, and where they stand.
struct SumLayout {
    std::uint32_t n_labels = 2;
    bool counts_rows = false;
    /// Class masses at the end, where splits are ranked and gains are not masses.
    std::uint32_t n_masses = 0;
    /// One more sum at the very end: how many groups are indifferent to their label.
    bool marks_rows = false;

    /// Two classes without a row count: gains alone, since potential = gain_0 + gain_1.
    bool is_binary() const { return n_labels == 2 && !counts_rows; }
    std::uint32_t potential_slot() const { return n_labels; }
    std::uint32_t count_slot() const { return n_labels + 1; }
    /// Where the mass of the first class stands; the others follow.
    std::uint32_t mass_slot() const { return n_masses == 0 ? 0 : size() - n_masses; }
    /// Where the indifferent groups are counted, if they are.
    std::uint32_t mark_slot() const { return marks_rows ? size() - 1 : 0; }
    std::uint32_t size() const {
        return (is_binary() ? 2 : n_labels + 1 + (counts_rows ? 1 : 0)) + n_masses +
               (marks_rows ? 1 : 0);
    }
    /// Whether rows that are indifferent to their label matter all the same.
    bool keeps_every_row() const { return counts_rows || n_masses > 0 || marks_rows; }
};

struct Problem {
    explicit Problem(MemoryBudget& memory)
        : rows(memory), values(memory), splits(memory), sums(memory), keys(memory) {}

    Vector<std::uint32_t> rows;     // one of each kind, as input rows
    Vector<Vector<double>> values;  // the distinct ones of every feature
    Vector<SplitColumn> splits;
    std::size_t n_groups = 0;
    Vector<Weight> sums;   // n_groups x layout.size()
    Vector<RowHash> keys;  // identity of each group
    SumLayout layout;
    Weight base = 0;      // loss that no tree avoids
    Weight one_leaf = 0;  // loss of all rows under their best label, base included
    Weight potential = 0;
    CostScale scale;
    Limits limits;
    std::uint32_t min_samples_leaf = 1;
    Weight support_floor = 0;
    std::optional<std::uint32_t> few_cuts;
    std::optional<bool> cross_tables;
    bool ranks_splits = false;
    /// Whether columns are more than yes/no questions (tuning/tuning.hpp); known once
    /// the problem is complete.
    bool has_many_cuts = false;
    /// False when it had to be left unfinished: there are no splits, sums or keys then.
    bool is_complete = false;

    std::size_t n_cuts() const {
        std::size_t n = 0;
        for (const SplitColumn& column : splits) n += column.cuts.size();
        return n;
    }
};

/// Build the problem; `is_stopped` is asked now and then, and what there is by then is
/// left unfinished.
Problem build_problem(const Request& request, MemoryBudget& memory,
                      const StopCheck& is_stopped);

}  // namespace ostrya
