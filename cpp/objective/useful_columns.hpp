/// The cuts and columns that some tree may need, and the rows that they tell apart.
#pragma once

#include <optional>

#include "objective/label_masses.hpp"

namespace ostrya {

/// Rows merged into groups, what each weighs and what it may lose.
struct MergedRows {
    Groups groups;
    GroupMasses masses;
    Vector<LossSpan> losses;       // of each group
    Vector<std::uint64_t> hashes;  // of each row, by its ranks
};

/// Drop the cuts of `columns` that no tree needs (bound 3, above `floor`) and merge the
/// rows, of these masses, that only they told apart. Nothing if stopped.
std::optional<MergedRows> drop_useless_cuts(Vector<SplitColumn>& columns,
                                            GroupMasses of_rows, LabelLosses& losses,
                                            Weight floor, const SharedLoop& loop);

/// Keep the first of columns that make the same splits of their rows.
void drop_duplicates(Vector<SplitColumn>& columns);

}  // namespace ostrya
