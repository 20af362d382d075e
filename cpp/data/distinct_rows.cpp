#include "data/distinct_rows.hpp"

#include <algorithm>
#include <bit>

#include "data/row_hash.hpp"

namespace ostrya {
namespace {

/// Rows hashed at a time: their part of a column stays in the nearest cache.
constexpr std::size_t block = 256;

/// The bits of a number, with one zero only.
std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value + 0.0);
}

/// The share of one number in the hash of its row. Halves are folded onto each other,
/// for the lower one of a small whole number is zero; 32 bits per side are what the
/// oldest vector instructions can multiply.
std::uint64_t hash_of(double value, std::uint32_t factor) {
    const std::uint64_t bits = bits_of(value);
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits ^ (bits >> 32))) *
           factor;
}

/// Hash the rows from `start` on, along the way in which they are laid out.
void hash_rows(const Matrix& matrix, std::size_t start, std::size_t n_rows,
               const std::vector<std::uint32_t>& factors, std::uint64_t* hashes) {
    std::fill_n(hashes, n_rows, 0);
    if (matrix.column_step == 1) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double* values = matrix.at(start + row, 0);
            std::uint64_t hash = 0;
            for (std::size_t column = 0; column < factors.size(); ++column) {
                hash += hash_of(values[column], factors[column]);
            }
            hashes[row] = hash;
        }
        return;
    }
    for (std::size_t column = 0; column < factors.size(); ++column) {
        const double* values = matrix.at(start, column);
        for (std::size_t row = 0; row < n_rows; ++row) {
            hashes[row] += hash_of(values[row * matrix.row_step], factors[column]);
        }
    }
}

/// Compares without a way out: rows that come here are almost always equal.
bool are_equal(const double* a, const double* b, std::size_t step, std::size_t n) {
    std::uint64_t differing = 0;
    for (std::size_t at = 0; at < n; ++at) {
        differing |= bits_of(a[at * step]) ^ bits_of(b[at * step]);
    }
    return differing == 0;
}

bool are_equal(const Matrix& matrix, std::size_t a, std::size_t b) {
    const double *x = matrix.at(a, 0), *y = matrix.at(b, 0);
    // A step known to be one lets the compiler compare several at once.
    return matrix.column_step == 1
               ? are_equal(x, y, 1, matrix.n_columns)
               : are_equal(x, y, matrix.column_step, matrix.n_columns);
}

/// An open table of the rows met so far; it grows with them, so that it stays in the
/// cache where many rows are alike.
class RowTable {
public:
    explicit RowTable(const Matrix& matrix) : matrix_(matrix), slots_(1024, empty) {}

    std::uint32_t number_of(std::uint32_t row, std::uint64_t hash) {
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != empty; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t known = slots_[slot];
            if (hashes_[known] == hash && are_equal(matrix_, row, first[known])) {
                return known;
            }
        }
        const auto number = static_cast<std::uint32_t>(first.size());
        slots_[slot] = number;
        first.push_back(row);
        hashes_.push_back(hash);
        if (2 * first.size() > slots_.size()) grow();
        return number;
    }

    std::vector<std::uint32_t> first;

private:
    static constexpr std::uint32_t empty = ~std::uint32_t{0};

    void grow() {
        slots_.assign(4 * slots_.size(), empty);
        for (std::uint32_t number = 0; number < hashes_.size(); ++number) {
            std::size_t slot = hashes_[number] & (slots_.size() - 1);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = number;
        }
    }

    const Matrix& matrix_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace

DistinctRows find_distinct_rows(const Matrix& matrix) {
    DistinctRows out;
    out.of_row.resize(matrix.n_rows);
    RowTable table(matrix);
    std::vector<std::uint32_t> factors(matrix.n_columns);
    for (std::size_t column = 0; column < factors.size(); ++column) {
        factors[column] = static_cast<std::uint32_t>(mix_bits(column)) | 1;
    }
    std::uint64_t hashes[block];
    for (std::size_t start = 0; start < matrix.n_rows; start += block) {
        const std::size_t n = std::min(block, matrix.n_rows - start);
        hash_rows(matrix, start, n, factors, hashes);
        for (std::size_t row = 0; row < n; ++row) {
            const auto at = static_cast<std::uint32_t>(start + row);
            out.of_row[at] = table.number_of(at, mix_bits(hashes[row]));
        }
    }
    out.first = std::move(table.first);
    return out;
}

}  // namespace ostrya
