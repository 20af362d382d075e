/// Sums of gains over the yes sides of all cuts, from bits: as many bits as a gain has
/// are counted, 64 groups at a time. For two labels whose sums fit 32 bits each.
#pragma once

#include <cstdint>
#include <span>

#include "memory/budget.hpp"

namespace ostrya::certificate {

/// How cells are numbered through: a column has one cell more than cuts.
struct CellColumns {
    const Vector<std::uint32_t>& first_cut;
    std::uint32_t n_columns, n_cells;

    std::uint32_t first_cell(std::uint32_t column) const {
        return column == n_columns ? n_cells : first_cut[column] + column;
    }
};

class BitSums {
public:
    explicit BitSums(MemoryBudget& memory)
        : sides_(memory),
          planes_(memory),
          set_(memory),
          masked_(memory),
          words_(memory) {}

    /// Know the cells (groups x columns) and the gains of all groups, that of label 1
    /// in the upper half. Nothing is kept where it would take much memory.
    void prepare(const CellColumns& columns, const Vector<std::uint32_t>& cells,
                 const Vector<std::uint64_t>& packed);
    /// Sum the gains of some groups by cell; false where adding them up one by one
    /// takes less.
    bool sum(const CellColumns& columns, std::span<const std::uint32_t> groups,
             Vector<std::uint64_t>& cell_sums);

private:
    Vector<std::uint64_t> sides_;   // cuts x words: groups on the yes side
    Vector<std::uint64_t> planes_;  // planes x words, those of label 0 first
    std::uint32_t n_low_planes_ = 0, n_planes_ = 0, n_words_ = 0;
    Vector<std::uint64_t> set_, masked_;  // scratch
    Vector<std::uint32_t> words_;
};

}  // namespace ostrya::certificate
