/// The reduced problem of a certificate: the cell of every row group in every column.
///
/// The engine's problem is reduced already as a certificate prescribes: cuts that no
/// tree needs are dropped (B3), groups that no cut separates are merged, and columns
/// that part the rows alike are kept once. Cuts are numbered column by column. A column
/// with m cuts has m + 1 cells.
#pragma once

#include <cstdint>
#include <span>

#include "certificate/bit_sums.hpp"
#include "objective/limits.hpp"
#include "objective/price_scale.hpp"
#include "objective/problem.hpp"
#include "objective/sum_reader.hpp"

namespace ostrya::certificate {

/// Row groups of a subproblem.
using Groups = Vector<std::uint32_t>;

/// A cut that a certificate calls usable: what its sides lose as leaves.
struct UsableCut {
    Split split;
    std::uint32_t number;
    Weight potential;  // of the yes side
    Weight yes_loss, no_loss;
};

class GroupTable {
public:
    GroupTable(const Problem& problem, MemoryBudget& memory);

    std::uint32_t n_groups() const { return n_groups_; }
    std::uint32_t n_columns() const { return n_columns_; }
    std::uint32_t n_cells() const { return n_cells_; }
    /// Cells are numbered through; those of a column end where those of the next begin.
    std::uint32_t first_cell(std::uint32_t column) const {
        return column == n_columns_ ? n_cells_ : first_cut_[column] + column;
    }
    std::uint32_t cell(std::uint32_t group, std::uint32_t column) const {
        return cells_[std::size_t{group} * n_columns_ + column];
    }
    std::span<const std::uint32_t> cells_of(std::uint32_t group) const {
        return {cells_.data() + std::size_t{group} * n_columns_, n_columns_};
    }
    std::uint32_t number(Split split) const {
        return first_cut_[split.column] + split.cut;
    }

    /// Whether a group is on the yes side of a split.
    bool is_yes(std::uint32_t group, Split split) const {
        return cells_[std::size_t{group} * n_columns_ + split.column] <=
               first_cut_[split.column] + split.column + split.cut;
    }
    /// What looking at so many groups comes to, in cells.
    std::size_t work(std::size_t n) const { return n * n_columns_ + n_cells_; }

    /// What trees cost at least by one look at every cut: exact up to two leaves (B6).
    Cost scan(std::span<const std::uint32_t> groups, Limits limits);

    /// Sum prices of some groups by the yes side of every cut; returns those of all.
    std::int64_t sum_prices(std::span<const std::uint32_t> groups,
                            const Vector<Price>& prices,
                            Vector<std::int64_t>& yes) const;

    /// The usable cuts of some groups in the order of their numbers.
    void list_usable(std::span<const std::uint32_t> groups, Vector<UsableCut>& out);
    /// The identity of the yes side of every cut, used or not.
    void hash_sides(std::span<const std::uint32_t> groups, Vector<RowHash>& out) const;

private:
    /// Call `use` for every usable cut; returns what all groups lose as one leaf.
    template <class Use>
    Weight for_usable(std::span<const std::uint32_t> groups, const Use& use);
    template <class Use>
    Weight for_usable_of_two(std::span<const std::uint32_t> groups, const Use& use);
    CellColumns columns() const { return {first_cut_, n_columns_, n_cells_}; }
    template <class Use>
    Weight for_usable_of_many(std::span<const std::uint32_t> groups, const Use& use);

    const Problem& problem_;
    SumReader<Weight> reader_;
    std::uint32_t n_groups_, n_columns_, n_cells_ = 0;
    Vector<std::uint32_t> first_cut_;  // of each column
    Vector<std::uint32_t> cells_;      // groups x columns, numbered through
    bool is_packed_;                   // two labels whose sums fit 32 bits each
    Vector<std::uint64_t> packed_;     // gains of each group, label 1 in the upper half
    Vector<std::uint64_t> packed_sums_;
    BitSums bit_sums_;
    Vector<Weight> sums_;  // cells x slots
    Vector<Weight> yes_, no_, total_;
};

}  // namespace ostrya::certificate
