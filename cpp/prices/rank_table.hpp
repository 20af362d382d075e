/// The ranks of all row groups in all columns, in few bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "memory/budget.hpp"
#include "objective/problem.hpp"

namespace ostrya {

/// Local rank of a row group in a column; columns of more ranks have no prices.
using Rank = std::uint16_t;

struct RankTable {
    RankTable(const Problem& problem, MemoryBudget& memory)
        : n_groups(static_cast<std::uint32_t>(problem.n_groups)),
          n_columns(static_cast<std::uint32_t>(problem.splits.size())),
          last(memory),
          ranks(memory) {
        ranks.reserve(std::size_t{n_columns} * n_groups);
        for (const SplitColumn& column : problem.splits) {
            column.ranks.visit([&](const auto of_rows) {
                for (std::size_t row = 0; row < of_rows.size(); ++row) {
                    ranks.push_back(static_cast<Rank>(of_rows[row]));
                }
            });
            last.push_back(static_cast<Rank>(column.cuts.size()));
            most_ranks = std::max<std::uint32_t>(most_ranks, column.n_ranks());
        }
    }

    /// Whether a problem has rows and columns, of not too many ranks.
    static bool holds(const Problem& problem) {
        constexpr std::size_t most = std::numeric_limits<Rank>::max();
        return problem.n_groups > 0 && !problem.splits.empty() &&
               problem.splits.size() <= most &&
               std::ranges::all_of(problem.splits, [](const SplitColumn& column) {
                   return column.n_ranks() <= most;
               });
    }

    std::size_t n_cuts() const {
        return std::accumulate(last.begin(), last.end(), std::size_t{0});
    }

    const Rank* column(std::size_t at) const { return ranks.data() + at * n_groups; }

    std::uint32_t n_groups, n_columns, most_ranks = 0;
    Vector<Rank> last;   // rank of each column
    Vector<Rank> ranks;  // column after column
};

}  // namespace ostrya
