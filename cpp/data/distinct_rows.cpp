#include "data/distinct_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "data/digest.hpp"
#include "data/probe_count.hpp"
#include "data/row_hash.hpp"

namespace ostrya {
namespace {

/// Rows hashed at a time: their part of a column stays in the nearest cache.
constexpr std::size_t block = 256;

/// The bits of a number, with one zero only.
std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value + 0.0);
}

/// Hashes by factors that anybody can read here: quick, but a table can be made for
/// them. The halves of a number are folded onto each other, for the lower one of a
/// small whole number is zero; 32 bits per side are what the oldest vector instructions
/// can multiply.
class FoldedHash {
public:
    FoldedHash(const Cells& cells, MemoryBudget& memory)
        : factors_(cells.n_columns, memory) {
        for (std::size_t column = 0; column < factors_.size(); ++column) {
            factors_[column] = static_cast<std::uint32_t>(mix_bits(column)) | 1;
        }
    }

    /// The share of one number in the hash of its row.
    std::uint64_t operator()(double value, std::size_t column) const {
        const std::uint64_t bits = bits_of(value);
        const auto folded = static_cast<std::uint32_t>(bits ^ (bits >> 32));
        return std::uint64_t{folded} * factors_[column];
    }

private:
    Vector<std::uint32_t> factors_;
};

/// Hashes by offsets drawn from a digest of all numbers: whoever changes a number to
/// fit them changes them. Two rows agree in one of 2^32 cases (NH: Black, Halevi,
/// Krawczyk, Krovetz and Rogaway 1999, CRYPTO, Thm. 4.2).
class DigestedHash {
public:
    DigestedHash(const Digest::Words& seed, const Cells& cells, MemoryBudget& memory)
        : offsets_(cells.n_columns, memory) {
        for (std::size_t column = 0; column < offsets_.size(); ++column) {
            Digest draw(seed);
            draw.add_number(column);
            offsets_[column] = draw.finish()[0];
        }
    }

    std::uint64_t operator()(double value, std::size_t column) const {
        const std::uint64_t bits = bits_of(value), offset = offsets_[column];
        const auto low = static_cast<std::uint32_t>(bits + offset);
        const auto high = static_cast<std::uint32_t>((bits >> 32) + (offset >> 32));
        return std::uint64_t{low} * high;
    }

private:
    Vector<std::uint64_t> offsets_;
};

/// Hash the rows from `start` on, along the way in which they are laid out.
template <class HashOf>
void hash_rows(const Cells& cells, std::size_t start, std::size_t n_rows,
               const HashOf& hash_of, std::uint64_t* hashes) {
    std::fill_n(hashes, n_rows, 0);
    if (cells.column_step == 1) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double* values = cells.at(start + row, 0);
            std::uint64_t hash = 0;
            for (std::size_t column = 0; column < cells.n_columns; ++column) {
                hash += hash_of(values[column], column);
            }
            hashes[row] = hash;
        }
        return;
    }
    for (std::size_t column = 0; column < cells.n_columns; ++column) {
        const double* values = cells.at(start, column);
        for (std::size_t row = 0; row < n_rows; ++row) {
            hashes[row] += hash_of(values[row * cells.row_step], column);
        }
    }
}

/// Rows that come here are almost always equal, and most of them bit by bit; where they
/// are not, numbers are compared without a way out.
bool are_equal(const Cells& cells, std::size_t a, std::size_t b) {
    const double *x = cells.at(a, 0), *y = cells.at(b, 0);
    const std::size_t n = cells.n_columns, step = cells.column_step;
    if (step == 1 && std::memcmp(x, y, n * sizeof(double)) == 0) return true;
    std::uint64_t differing = 0;
    for (std::size_t at = 0; at < n; ++at) {
        differing |= bits_of(x[at * step]) ^ bits_of(y[at * step]);
    }
    return differing == 0;
}

/// An open table of the rows met so far; it grows with them, so that it stays in the
/// cache where many rows are alike.
class RowTable {
public:
    RowTable(const Cells& cells, MemoryBudget& memory)
        : first(memory), cells_(cells), slots_(1024, empty, memory), hashes_(memory) {}

    std::uint32_t number_of(std::uint32_t row, std::uint64_t hash) {
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != empty; slot = (slot + 1) & (slots_.size() - 1)) {
            probes.add();
            const std::uint32_t known = slots_[slot];
            if (hashes_[known] == hash && are_equal(cells_, row, first[known])) {
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

    Vector<std::uint32_t> first;
    ProbeCount probes;

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

    const Cells& cells_;
    Vector<std::uint32_t> slots_;
    Vector<std::uint64_t> hashes_;
};

/// The digest of all numbers; nothing if stopped.
std::optional<Digest::Words> digest_of(const Cells& cells,
                                       const StopCheck& is_stopped) {
    constexpr Digest::Words purpose{0x6f73747279613a20u, 0x657175616c20726fu,
                                    0x7773000000000001u};
    Digest digest(purpose);
    // The numbers lie side by side, row by row or column by column.
    const std::size_t n = cells.n_rows * cells.n_columns;
    for (std::size_t at = 0; at < n; at += rows_between_checks) {
        if (is_stopped()) return {};
        digest.add(cells.data + at,
                   std::min(rows_between_checks, n - at) * sizeof(double));
    }
    return digest.finish();
}

/// Number the rows by a table of hashes. `is_flooded` tells that they agree too often
/// to go on.
template <class HashOf>
std::optional<DistinctRows> number_rows(const Cells& cells, const HashOf& hash_of,
                                        MemoryBudget& memory,
                                        const StopCheck& is_stopped, bool& is_flooded) {
    DistinctRows out(memory);
    out.of_row.resize(cells.n_rows);
    RowTable table(cells, memory);
    std::uint64_t hashes[block];
    for (std::size_t start = 0; start < cells.n_rows; start += block) {
        if (is_stopped_at(start, is_stopped)) return {};
        is_flooded = table.probes.are_too_many(start);
        if (is_flooded) return {};
        const std::size_t n = std::min(block, cells.n_rows - start);
        hash_rows(cells, start, n, hash_of, hashes);
        for (std::size_t row = 0; row < n; ++row) {
            const auto at = static_cast<std::uint32_t>(start + row);
            out.of_row[at] = table.number_of(at, mix_bits(hashes[row]));
        }
    }
    out.first = std::move(table.first);
    return out;
}

}  // namespace

std::optional<DistinctRows> find_distinct_rows(const Cells& cells, MemoryBudget& memory,
                                               const StopCheck& is_stopped) {
    bool is_flooded = false;
    auto rows =
        number_rows(cells, FoldedHash(cells, memory), memory, is_stopped, is_flooded);
    if (!is_flooded) return rows;
    const auto seed = digest_of(cells, is_stopped);
    if (!seed) return {};
    return number_rows(cells, DigestedHash(*seed, cells, memory), memory, is_stopped,
                       is_flooded);
}

DistinctRows renumber_rows(std::span<const std::uint32_t> numbers,
                           MemoryBudget& memory) {
    constexpr std::uint32_t unmet = ~std::uint32_t{0};
    const auto largest = std::max_element(numbers.begin(), numbers.end());
    Vector<std::uint32_t> here(std::size_t{*largest} + 1, unmet, memory);
    DistinctRows out(memory);
    out.of_row.reserve(numbers.size());
    for (std::uint32_t row = 0; row < numbers.size(); ++row) {
        std::uint32_t& number = here[numbers[row]];
        if (number == unmet) {
            number = static_cast<std::uint32_t>(out.first.size());
            out.first.push_back(row);
        }
        out.of_row.push_back(number);
    }
    return out;
}

}  // namespace ostrya
