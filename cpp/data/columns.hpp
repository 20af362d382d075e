/// Columns of ordered values, stored as ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "data/distinct_rows.hpp"
#include "data/known_ranks.hpp"
#include "data/ranks.hpp"
#include "data/sort_by_key.hpp"
#include "data/stop_check.hpp"
#include "memory/budget.hpp"
#include "threads/shared_loop.hpp"

namespace ostrya {

/// A feature's distinct values in order, and the rank of every row among them.
struct Column {
    explicit Column(MemoryBudget& memory) : values(memory), ranks(memory) {}

    std::uint32_t feature = 0;
    Vector<double> values;
    Ranks ranks;

    std::uint32_t n_ranks() const { return static_cast<std::uint32_t>(values.size()); }
};

/// A column as the search sees it: local ranks, and the original rank each cut ends at.
struct SplitColumn {
    explicit SplitColumn(MemoryBudget& memory) : cuts(memory), ranks(memory) {}

    std::uint32_t feature = 0;
    /// Cut `r` sends original ranks <= cuts[r] to the yes side.
    Vector<std::uint32_t> cuts;
    /// Local rank of each row, 0 .. cuts.size().
    Ranks ranks;

    std::uint32_t n_ranks() const {
        return static_cast<std::uint32_t>(cuts.size()) + 1;
    }
};

/// A split of the search: which column, and which of its cuts.
struct Split {
    std::uint32_t column = 0;
    std::uint32_t cut = 0;

    bool operator==(const Split&) const = default;
};

/// Ranks the values of features; it keeps its scratch from one to the next.
class Ranker {
public:
    Ranker(MemoryBudget& memory, const StopCheck& is_stopped)
        : memory_(memory),
          is_stopped_(is_stopped),
          values_(memory),
          ranks_(memory),
          order_(memory),
          spare_(memory) {}

    /// Bytes of scratch per row, at most.
    static constexpr std::size_t bytes_per_row =
        sizeof(double) + sizeof(std::uint32_t) + 2 * sizeof(KeyedRow);

    /// The values that `rows` have in the column that `rule` makes of some cells;
    /// nothing if stopped. `known` are ranks of all rows in this column, not
    /// necessarily dense; null: none.
    std::optional<Column> rank(const Cells& cells, const Vector<std::uint32_t>& rows,
                               const ColumnRule& rule,
                               const std::uint32_t* known = nullptr);

private:
    /// How: each fills `distinct` and `ranks_`, or returns false for anything else.
    bool rank_by_comparing(Vector<double>& distinct);
    bool rank_by_counting(Vector<double>& distinct);
    bool rank_by_search(Vector<double>& distinct);
    /// False if stopped.
    bool rank_by_sorting(Vector<double>& distinct);
    /// Make the numbers in `ranks_`, which are in order of values, dense.
    void close_ranks(std::size_t n_numbers, Vector<double>& distinct);

    MemoryBudget& memory_;
    const StopCheck& is_stopped_;
    Vector<double> values_;  // of every row
    Vector<std::uint32_t> ranks_;
    Vector<KeyedRow> order_, spare_;
};

/// Rank the values of every feature in the rows that differ; of none if it is stopped.
/// The levels of a categorical column share its codes.
Vector<Column> rank_columns(const Matrix& matrix, const DistinctRows& rows,
                            const KnownRanks& known, MemoryBudget& memory,
                            const SharedLoop& loop);

/// Keep the ranks of these rows alone, in this order; false if stopped.
bool keep_rows(Vector<SplitColumn>& columns, const Vector<std::uint32_t>& rows,
               const SharedLoop& loop);

/// Neighbouring columns that share their codes, or one column that has none.
struct ColumnRun {
    std::size_t begin, end;
};
Vector<ColumnRun> runs_of(const Vector<SplitColumn>& columns);

/// A column with all its cuts, before any are dropped; it takes the ranks over.
SplitColumn all_cuts(Column& column, MemoryBudget& memory);

/// A number that splits `below` from `above` by `x <= threshold`; their midpoint unless
/// rounding would put it on the wrong side.
double threshold_between(double below, double above);

}  // namespace ostrya
