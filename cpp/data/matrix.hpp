/// Numbers in rows and columns, read where the caller keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ostrya {

/// A view of numbers that are stored row after row, or column after column.
struct Cells {
    const double* data = nullptr;
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    /// Distance, in numbers, between neighbours in a column and in a row.
    std::size_t row_step = 0;
    std::size_t column_step = 0;

    const double* at(std::size_t row, std::size_t column) const {
        return data + row * row_step + column * column_step;
    }
};

/// How a column of a matrix is computed from a stored one.
///
/// A categorical column with L levels is stored once, as codes 0, 1, ...; each level is
/// a column of its own that holds 0 where the code is its own and 1 elsewhere. Stored
/// one by one, these columns would take L times the memory.
struct ColumnRule {
    enum class Kind : std::uint8_t { as_stored, level, lookup };

    std::uint32_t stored = 0;  // the column of cells that it is read from
    Kind kind = Kind::as_stored;
    double level = 0;                // the code that makes a level's column 0
    const double* values = nullptr;  // of a lookup: the value for each code

    double value(double cell) const {
        switch (kind) {
            case Kind::level:
                return cell == level ? 0.0 : 1.0;
            case Kind::lookup:
                return values[static_cast<std::size_t>(cell)];
            default:
                return cell;
        }
    }
};

/// The columns that a search sees. Two rows of cells that differ also differ in one of
/// these columns, and the reverse: equal rows can be found among the cells.
struct Matrix {
    Cells cells;
    /// One per column; empty: the columns are the stored ones.
    std::span<const ColumnRule> rules;

    std::size_t n_rows() const { return cells.n_rows; }
    std::size_t n_columns() const {
        return rules.empty() ? cells.n_columns : rules.size();
    }
    ColumnRule rule(std::size_t column) const {
        if (!rules.empty()) return rules[column];
        ColumnRule as_stored;
        as_stored.stored = static_cast<std::uint32_t>(column);
        return as_stored;
    }
    double value(std::size_t row, std::size_t column) const {
        if (rules.empty()) return *cells.at(row, column);
        const ColumnRule& rule = rules[column];
        return rule.value(*cells.at(row, rule.stored));
    }
};

}  // namespace ostrya
