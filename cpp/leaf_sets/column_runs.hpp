/// The groups of a leaf added up by their ranks in one column: what lies between two
/// neighbouring cuts.
#pragma once

#include <cstdint>
#include <span>

#include "leaf_sets/memory_stop.hpp"
#include "leaf_sets/table.hpp"

namespace ostrya::leaf_sets {

class ColumnRuns {
public:
    struct Run {
        std::uint32_t rank = 0;
        RowHash hash;
    };

    ColumnRuns(const Table& table, MemoryStop& stop, MemoryBudget& memory)
        : table_(table),
          stop_(stop),
          runs_(memory),
          sums_(memory),
          by_rank_(memory),
          starts_(memory) {}

    /// Start over with these groups and this column; false if stopped.
    bool add_up(std::span<const std::uint32_t> groups, const SplitColumn& column);

    /// The runs, in order of rank.
    std::size_t size() const { return runs_.size(); }
    const Run& operator[](std::size_t run) const { return runs_[run]; }
    const Weight* sums(std::size_t run) const {
        return sums_.data() + run * table_.layout.size();
    }

private:
    void sort_by_rank(std::span<const std::uint32_t> groups, const SplitColumn& column);

    const Table& table_;
    MemoryStop& stop_;
    Vector<Run> runs_;
    Vector<Weight> sums_;            // of each run
    Vector<std::uint32_t> by_rank_;  // groups
    Vector<std::uint32_t> starts_;   // scratch of sort_by_rank
};

}  // namespace ostrya::leaf_sets
