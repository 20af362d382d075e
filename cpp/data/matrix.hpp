/// Numbers in rows and columns, read where the caller keeps them.
#pragma once

#include <cstddef>

namespace ostrya {

/// A view of a matrix laid out row after row, or column after column.
struct Matrix {
    const double* data = nullptr;
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    /// How many numbers apart neighbours in a column and in a row stand.
    std::size_t row_step = 0;
    std::size_t column_step = 0;

    const double* at(std::size_t row, std::size_t column) const {
        return data + row * row_step + column * column_step;
    }
};

}  // namespace ostrya
