/// Keys of the rows of one problem, from a digest of all of it.
#pragma once

#include "data/columns.hpp"
#include "data/digest.hpp"
#include "data/row_hash.hpp"

namespace ostrya {

/// Add every row's ranks to a digest, row by row within packed words; false if stopped.
bool add_ranks(Digest& digest, const Vector<SplitColumn>& columns, std::size_t n_rows,
               const StopCheck& is_stopped);

/// A digest that rows and columns, and all that a problem is made of, are added to.
Digest start_row_keys();

/// One key per row, by what was added; fewer if stopped.
Vector<RowHash> row_keys(Digest digest, std::size_t n_rows, MemoryBudget& memory,
                         const StopCheck& is_stopped);

}  // namespace ostrya
