#include <bit>

#include "prices/condition_table.hpp"
#include "prices/greedy_boxes.hpp"
#include "prices/price_index.hpp"
#include "prices/rank_table.hpp"
#include "prices/row_prices.hpp"

namespace ostrya {
namespace {

/// Sets of boxes with all rows in them that a search holds at a time, or many smaller
/// ones that come to as much.
constexpr std::uint64_t whole_states = 2;
/// What is kept of each group: its weight, its price by the pool, those that are sought
/// and those that are best, its worth under a label, and its number in a box.
constexpr std::uint64_t bytes_per_group =
    2 * sizeof(double) + 3 * sizeof(Price) + sizeof(std::uint32_t);
/// And in each set of boxes where cuts are many: its number and its worth.
constexpr std::uint64_t bytes_per_row = sizeof(std::uint32_t) + sizeof(Price);

}  // namespace

std::uint64_t price_bytes(const Problem& problem, std::size_t most_cuts) {
    const std::uint64_t n = problem.n_groups, n_cuts = problem.n_cuts();
    const std::uint64_t n_cells = n * problem.splits.size();
    const std::uint64_t of_groups =
        n * (bytes_per_group + problem.layout.n_labels * sizeof(Price));
    const std::uint64_t of_ranks =
        n_cells * (sizeof(Rank) + GreedyBoxes::bytes_per_cell);
    const bool has_few_cuts = n_cuts <= most_cuts;
    const std::uint64_t of_table = has_few_cuts ? ConditionTable::bytes(n, n_cuts) : 0;
    // Rows are held with the conditions that they fail, or with their ranks.
    const std::uint64_t of_state = has_few_cuts
                                       ? ConditionTable::fail_bytes(n, n_cuts)
                                       : n_cells * sizeof(Rank) + n * bytes_per_row;
    // New prices are put up beside the old.
    const std::uint64_t of_indices = 2 * PriceIndex::bytes(n);
    return of_groups + of_ranks + of_table + whole_states * of_state + of_indices;
}

}  // namespace ostrya
