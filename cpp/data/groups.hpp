/// Rows that no cut tells apart, merged.
#pragma once

#include <cstdint>
#include <vector>

#include "data/columns.hpp"
#include "data/row_hash.hpp"

namespace ostrya {

/// Which group each row belongs to. No tree can tell the rows of a group apart.
struct Groups {
    std::vector<std::uint32_t> of_row;
    /// First row of each group.
    std::vector<std::uint32_t> representative;
    /// Hash of each group's features: an order that does not depend on row order.
    std::vector<RowHash> signature;

    std::size_t size() const { return representative.size(); }
};

/// Every row a group of its own, where all rows differ.
Groups keep_rows_apart(const std::vector<SplitColumn>& columns, std::size_t n_rows);

Groups merge_equal_rows(const std::vector<SplitColumn>& columns, std::size_t n_rows);

}  // namespace ostrya
