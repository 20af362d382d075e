/// Rows that no cut tells apart, merged.
#pragma once

#include <cstdint>
#include <vector>

#include "data/columns.hpp"

namespace ostrya {

/// Which group each row belongs to. No tree can tell the rows of a group apart.
struct Groups {
    std::vector<std::uint32_t> of_row;
    /// First row of each group.
    std::vector<std::uint32_t> representative;

    std::size_t size() const { return representative.size(); }
};

/// Every row a group of its own, where all rows differ.
Groups keep_rows_apart(std::size_t n_rows);

/// Rows are compared in full: a table that makes hashes agree only takes longer.
Groups merge_equal_rows(const std::vector<SplitColumn>& columns, std::size_t n_rows);

/// An order of groups that does not depend on the order of rows.
class FeatureOrder {
public:
    FeatureOrder(const std::vector<SplitColumn>& columns, const Groups& groups,
                 std::size_t n_rows);

    bool operator()(std::uint32_t a, std::uint32_t b) const;

private:
    const std::vector<SplitColumn>& columns_;
    const Groups& groups_;
    std::vector<std::uint64_t> hashes_;  // of rows: quick to compare, by chance only
};

}  // namespace ostrya
