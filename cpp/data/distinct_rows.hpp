/// The different rows of a matrix: all that a search needs to look at.
#pragma once

#include <cstdint>
#include <vector>

#include "data/matrix.hpp"

namespace ostrya {

/// Which of the different rows each row is, numbered as they are met.
struct DistinctRows {
    std::vector<std::uint32_t> of_row;
    /// Where each of them is met first.
    std::vector<std::uint32_t> first;

    std::size_t size() const { return first.size(); }
};

DistinctRows find_distinct_rows(const Matrix& matrix);

}  // namespace ostrya
