/// Boxes worth much, found fast and without any promise.
#pragma once

#include <cstdint>

#include "objective/price_scale.hpp"
#include "prices/rank_table.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

/// Grows one box after another. Each starts from all rows, or from what a few cuts by
/// chance leave around a row by chance; then the interval of ranks of any column that
/// is worth most is kept, until none is worth more than the box itself.
class GreedyBoxes {
public:
    /// What is kept of each group in each column.
    static constexpr std::size_t bytes_per_cell = sizeof(std::uint32_t);

    GreedyBoxes(const RankTable& table, const Tuning::Prices& tuning,
                MemoryBudget& memory);

    /// Grow a box from all rows, or from cuts by chance.
    void grow(const Vector<Price>& worth, bool is_by_chance, std::int64_t& work);

    const Vector<std::uint32_t>& box() const { return box_; }
    std::int64_t worth() const { return worth_; }

private:
    void cut_by_chance(const Vector<Price>& worth);
    void add_up(const Vector<Price>& worth);
    const std::uint32_t* places_of(std::size_t group) const {
        return places_.data() + group * table_.n_columns;
    }
    void keep(std::uint32_t column, Rank low, Rank high);
    /// A number below `end`: the same ones in the same order for every problem.
    std::uint32_t draw(std::uint32_t end);

    const RankTable& table_;
    std::uint32_t most_random_cuts_;
    int most_tries_;
    bool has_questions_only_;
    Vector<std::uint32_t> box_;
    std::int64_t worth_ = 0;
    std::uint64_t seed_ = 0;
    /// Of each group, column by column: where in `sums_` its worth belongs; with
    /// questions only, all bits or none.
    Vector<std::uint32_t> places_;
    Vector<Price> sums_;              // of all ranks, column after column
    Vector<std::uint32_t> yes_sums_;  // of the second rank of each column
};

}  // namespace ostrya
