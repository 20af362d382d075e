/// The different rows of a table: all that a search needs to look at.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "data/matrix.hpp"
#include "data/stop_check.hpp"
#include "memory/budget.hpp"

namespace ostrya {

/// Which of the different rows each row is, numbered as they are met.
struct DistinctRows {
    explicit DistinctRows(MemoryBudget& memory) : of_row(memory), first(memory) {}

    Vector<std::uint32_t> of_row;
    /// Where each of them is met first.
    Vector<std::uint32_t> first;

    std::size_t size() const { return first.size(); }
};

/// Nothing if stopped.
std::optional<DistinctRows> find_distinct_rows(const Cells& cells, MemoryBudget& memory,
                                               const StopCheck& is_stopped);

/// The same of rows whose numbers in a larger table are known.
DistinctRows renumber_rows(std::span<const std::uint32_t> numbers,
                           MemoryBudget& memory);

}  // namespace ostrya
