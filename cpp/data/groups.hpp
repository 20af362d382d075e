/// Rows that no cut tells apart, merged.
#pragma once

#include <cstdint>
#include <optional>

#include "data/columns.hpp"

namespace ostrya {

/// Which group each row belongs to. No tree can tell the rows of a group apart.
struct Groups {
    explicit Groups(MemoryBudget& memory) : of_row(memory), representative(memory) {}

    Vector<std::uint32_t> of_row;
    /// First row of each group.
    Vector<std::uint32_t> representative;

    std::size_t size() const { return representative.size(); }
};

/// Every row a group of its own, where all rows differ.
Groups keep_rows_apart(std::size_t n_rows, MemoryBudget& memory);

/// A number per row by its ranks; the seed is 0 but where that was made for collisions.
/// Nothing if stopped.
std::optional<Vector<std::uint64_t>> hash_rows(const Vector<SplitColumn>& columns,
                                               std::size_t n_rows,
                                               const StopCheck& is_stopped,
                                               std::uint64_t seed = 0);

/// Rows are compared in full. `hashes` are those of `hash_rows` without a seed; where a
/// table was made for them to agree, others take their place. Nothing if stopped.
std::optional<Groups> merge_equal_rows(const Vector<SplitColumn>& columns,
                                       const Vector<std::uint64_t>& hashes,
                                       const StopCheck& is_stopped);

/// An order of groups that does not depend on the order of rows.
class FeatureOrder {
public:
    /// `hashes` are those of the rows: quick to compare, by chance only.
    FeatureOrder(const Vector<SplitColumn>& columns, const Groups& groups,
                 const Vector<std::uint64_t>& hashes)
        : columns_(columns), groups_(groups), hashes_(hashes) {}

    std::uint64_t hash(std::uint32_t group) const {
        return hashes_[groups_.representative[group]];
    }
    bool operator()(std::uint32_t a, std::uint32_t b) const;

private:
    const Vector<SplitColumn>& columns_;
    const Groups& groups_;
    const Vector<std::uint64_t>& hashes_;
};

}  // namespace ostrya
