#include "certificate/group_table.hpp"

#include <algorithm>

namespace ostrya::certificate {
namespace {

/// The least that trees of a subproblem cost, from what a look at all of its cuts
/// found.
struct ScannedLosses {
    Weight leaf = 0;
    Weight two = unreachable;   // both sides of the best cut
    Weight cell = unreachable;  // the least of any side

    void see(Weight yes, Weight no) {
        two = std::min(two, yes + no);
        cell = std::min(cell, std::min(yes, no));
    }
    Cost bound(const CostScale& scale, Limits limits) const {
        const Cost one_leaf = scale.cost(leaf, 1);
        if (limits.depth == 0 || limits.leaves == 1 || two == unreachable) {
            return one_leaf;
        }
        const Cost exact = std::min(one_leaf, scale.cost(two, 2));
        if (limits.depth == 1 || limits.leaves == 2) return exact;
        return std::min({exact, scale.cost(cell, 3), 4 * scale.penalty});
    }
};

}  // namespace

GroupTable::GroupTable(const Problem& problem, MemoryBudget& memory)
    : problem_(problem),
      reader_(problem),
      n_groups_(static_cast<std::uint32_t>(problem.n_groups)),
      n_columns_(static_cast<std::uint32_t>(problem.splits.size())),
      first_cut_(memory),
      cells_(memory),
      is_packed_(problem.layout.is_binary() && problem.potential < Weight{1} << 31),
      packed_(memory),
      packed_sums_(memory),
      bit_sums_(memory),
      sums_(memory),
      yes_(memory),
      no_(memory),
      total_(memory) {
    std::uint32_t n_cuts = 0;
    for (const SplitColumn& column : problem.splits) {
        first_cut_.push_back(n_cuts);
        n_cuts += static_cast<std::uint32_t>(column.cuts.size());
    }
    n_cells_ = n_cuts + n_columns_;
    cells_.resize(std::size_t{n_groups_} * n_columns_);
    for (std::uint32_t column = 0; column < n_columns_; ++column) {
        problem.splits[column].ranks.visit([&](const auto ranks) {
            for (std::uint32_t group = 0; group < n_groups_; ++group) {
                cells_[std::size_t{group} * n_columns_ + column] =
                    first_cut_[column] + column + ranks[group];
            }
        });
    }
    if (is_packed_) {
        for (std::uint32_t group = 0; group < n_groups_; ++group) {
            const Weight* gains = problem.sums.data() + std::size_t{group} * 2;
            packed_.push_back(static_cast<std::uint64_t>(gains[0]) |
                              static_cast<std::uint64_t>(gains[1]) << 32);
        }
        packed_sums_.resize(n_cells_);
        bit_sums_.prepare(columns(), cells_, packed_);
    } else {
        sums_.resize(std::size_t{n_cells_} * reader_.size());
        yes_.resize(reader_.size());
        no_.resize(reader_.size());
        total_.resize(reader_.size());
    }
}

Cost GroupTable::scan(std::span<const std::uint32_t> groups, Limits limits) {
    ScannedLosses seen;
    seen.leaf = for_usable(
        groups, [&](const UsableCut& cut) { seen.see(cut.yes_loss, cut.no_loss); });
    return seen.bound(problem_.scale, limits);
}

void GroupTable::list_usable(std::span<const std::uint32_t> groups,
                             Vector<UsableCut>& out) {
    out.clear();
    for_usable(groups, [&](const UsableCut& cut) { out.push_back(cut); });
}

void GroupTable::hash_sides(std::span<const std::uint32_t> groups,
                            Vector<RowHash>& out) const {
    Vector<RowHash> by_cell(n_cells_, out.get_allocator());
    for (const std::uint32_t group : groups) {
        const std::uint32_t* cells = cells_.data() + std::size_t{group} * n_columns_;
        for (std::uint32_t column = 0; column < n_columns_; ++column) {
            by_cell[cells[column]] += problem_.keys[group];
        }
    }
    out.clear();
    std::size_t cell = 0;
    for (const SplitColumn& column : problem_.splits) {
        RowHash yes;
        for (std::size_t cut = 0; cut < column.cuts.size(); ++cut) {
            out.push_back(yes += by_cell[cell++]);
        }
        ++cell;
    }
}

std::int64_t GroupTable::sum_prices(std::span<const std::uint32_t> groups,
                                    const Vector<Price>& prices,
                                    Vector<std::int64_t>& yes) const {
    Vector<std::int64_t> by_cell(n_cells_, 0, yes.get_allocator());
    std::int64_t total = 0;
    for (const std::uint32_t group : groups) {
        total += prices[group];
        for (const std::uint32_t cell : cells_of(group)) by_cell[cell] += prices[group];
    }
    yes.clear();
    std::size_t cell = 0;
    for (const SplitColumn& column : problem_.splits) {
        std::int64_t sum = 0;
        for (std::size_t cut = 0; cut < column.cuts.size(); ++cut) {
            yes.push_back(sum += by_cell[cell++]);
        }
        ++cell;
    }
    return total;
}

template <class Use>
Weight GroupTable::for_usable(std::span<const std::uint32_t> groups, const Use& use) {
    return is_packed_ ? for_usable_of_two(groups, use)
                      : for_usable_of_many(groups, use);
}

template <class Use>
Weight GroupTable::for_usable_of_two(std::span<const std::uint32_t> groups,
                                     const Use& use) {
    std::uint64_t total = 0;
    for (const std::uint32_t group : groups) total += packed_[group];
    if (!bit_sums_.sum(columns(), groups, packed_sums_)) {
        std::fill(packed_sums_.begin(), packed_sums_.end(), 0);
        for (const std::uint32_t group : groups) {
            for (const std::uint32_t cell : cells_of(group)) {
                packed_sums_[cell] += packed_[group];
            }
        }
    }
    const auto low = [](std::uint64_t sums) { return static_cast<Weight>(sums & ~0u); };
    const auto high = [](std::uint64_t sums) {
        return static_cast<Weight>(sums >> 32);
    };
    const Weight floor = reader_.floor();
    const std::uint64_t* sums = packed_sums_.data();
    for (std::uint32_t column = 0; column < n_columns_; ++column, ++sums) {
        std::uint64_t yes = 0;
        const auto n_cuts =
            static_cast<std::uint32_t>(problem_.splits[column].cuts.size());
        for (std::uint32_t cut = 0; cut < n_cuts; ++cut) {
            const std::uint64_t here = *sums++;
            if (here == 0) continue;
            yes += here;
            const std::uint64_t no = total - yes;
            const Weight potential = low(yes) + high(yes);
            if (potential <= floor || low(no) + high(no) <= floor) continue;
            use(UsableCut{{column, cut},
                          first_cut_[column] + cut,
                          potential,
                          std::min(low(yes), high(yes)),
                          std::min(low(no), high(no))});
        }
    }
    return std::min(low(total), high(total));
}

template <class Use>
Weight GroupTable::for_usable_of_many(std::span<const std::uint32_t> groups,
                                      const Use& use) {
    const std::uint32_t n_slots = reader_.size();
    std::fill(sums_.begin(), sums_.end(), 0);
    std::fill(total_.begin(), total_.end(), 0);
    for (const std::uint32_t group : groups) {
        const Weight* from = problem_.sums.data() + std::size_t{group} * n_slots;
        const std::uint32_t* cells = cells_.data() + std::size_t{group} * n_columns_;
        for (std::uint32_t slot = 0; slot < n_slots; ++slot) {
            total_[slot] += from[slot];
        }
        for (std::uint32_t column = 0; column < n_columns_; ++column) {
            Weight* sums = sums_.data() + std::size_t{cells[column]} * n_slots;
            for (std::uint32_t slot = 0; slot < n_slots; ++slot) {
                sums[slot] += from[slot];
            }
        }
    }
    const Weight all = reader_.potential(total_.data(), 1);
    const Weight* here = sums_.data();
    for (std::uint32_t column = 0; column < n_columns_; ++column, here += n_slots) {
        std::fill(yes_.begin(), yes_.end(), 0);
        const auto n_cuts =
            static_cast<std::uint32_t>(problem_.splits[column].cuts.size());
        for (std::uint32_t cut = 0; cut < n_cuts; ++cut, here += n_slots) {
            if (std::all_of(here, here + n_slots,
                            [](Weight sum) { return sum == 0; })) {
                continue;
            }
            for (std::uint32_t slot = 0; slot < n_slots; ++slot) {
                yes_[slot] += here[slot];
                no_[slot] = total_[slot] - yes_[slot];
            }
            const Weight potential = reader_.potential(yes_.data(), 1);
            if (potential <= reader_.floor() || all - potential <= reader_.floor() ||
                !reader_.may_part(yes_.data(), 1, total_.data())) {
                continue;
            }
            use(UsableCut{{column, cut},
                          first_cut_[column] + cut,
                          potential,
                          reader_.loss(yes_.data(), 1),
                          reader_.loss(no_.data(), 1)});
        }
    }
    return reader_.loss(total_.data(), 1);
}

}  // namespace ostrya::certificate
