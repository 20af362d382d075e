#include "prices/greedy_boxes.hpp"

#include <algorithm>
#include <numeric>

#include "data/row_hash.hpp"

namespace ostrya {

GreedyBoxes::GreedyBoxes(const RankTable& table, const Tuning::Prices& tuning,
                         MemoryBudget& memory)
    : table_(table),
      most_random_cuts_(tuning.most_random_cuts),
      most_tries_(tuning.most_tries),
      has_questions_only_(std::ranges::count(table.last, 1) == table.n_columns),
      box_(memory),
      places_(table.n_groups * std::size_t{table.n_columns}, memory),
      sums_(table.n_cuts() + table.n_columns, memory),
      yes_sums_(table.n_columns, memory) {
    const std::size_t n_columns = table.n_columns;
    std::uint32_t first = 0;
    for (std::size_t column = 0; column < n_columns; ++column) {
        const Rank* ranks = table.column(column);
        for (std::size_t group = 0; group < table.n_groups; ++group) {
            const std::uint32_t rank = ranks[group];
            places_[group * n_columns + column] =
                has_questions_only_ ? 0 - rank : first + rank;
        }
        first += std::uint32_t{table.last[column]} + 1;
    }
}

std::uint32_t GreedyBoxes::draw(std::uint32_t end) {
    return static_cast<std::uint32_t>((mix_bits(++seed_) >> 32) * end >> 32);
}

void GreedyBoxes::keep(std::uint32_t column, Rank low, Rank high) {
    const Rank* ranks = table_.column(column);
    std::size_t n = 0;
    for (const std::uint32_t group : box_) {
        box_[n] = group;
        n += ranks[group] >= low && ranks[group] <= high;
    }
    box_.resize(n);
}

void GreedyBoxes::cut_by_chance(const Vector<Price>& worth) {
    std::uint32_t inside = draw(table_.n_groups);
    for (int at = 0; at < most_tries_ && worth[inside] <= 0; ++at) {
        inside = draw(table_.n_groups);
    }
    const std::uint32_t n = draw(most_random_cuts_ + 1);
    for (std::uint32_t at = 0; at < n; ++at) {
        const std::uint32_t column = draw(table_.n_columns);
        const Rank last = table_.last[column];
        if (last == 0) continue;
        const auto cut = static_cast<Rank>(draw(last));
        if (table_.column(column)[inside] <= cut) {
            keep(column, 0, cut);
        } else {
            keep(column, static_cast<Rank>(cut + 1), last);
        }
    }
}

/// Sum what the rows of the box are worth, by column and rank.
void GreedyBoxes::add_up(const Vector<Price>& worth) {
    const std::uint32_t n_columns = table_.n_columns;
    worth_ = 0;
    if (!has_questions_only_) {
        std::ranges::fill(sums_, 0);
        for (const std::uint32_t group : box_) {
            const std::uint32_t* places = places_of(group);
            for (std::uint32_t column = 0; column < n_columns; ++column) {
                sums_[places[column]] += worth[group];
            }
            worth_ += worth[group];
        }
        return;
    }
    std::ranges::fill(yes_sums_, 0);
    for (const std::uint32_t group : box_) {
        const std::uint32_t* masks = places_of(group);
        const auto price = static_cast<std::uint32_t>(worth[group]);
        std::uint32_t* sums = yes_sums_.data();
        for (std::uint32_t column = 0; column < n_columns; ++column) {
            sums[column] += masks[column] & price;
        }
        worth_ += worth[group];
    }
    for (std::uint32_t column = 0; column < n_columns; ++column) {
        const auto yes = static_cast<Price>(yes_sums_[column]);
        sums_[2 * column] = static_cast<Price>(worth_) - yes;
        sums_[2 * column + 1] = yes;
    }
}

void GreedyBoxes::grow(const Vector<Price>& worth, bool is_by_chance,
                       std::int64_t& work) {
    box_.resize(table_.n_groups);
    std::iota(box_.begin(), box_.end(), 0);
    if (is_by_chance) cut_by_chance(worth);
    const std::uint32_t n_columns = table_.n_columns;
    while (true) {
        add_up(worth);
        std::int64_t most = worth_;
        std::uint32_t best = n_columns;
        Rank low = 0, high = 0;
        const Price* sums = sums_.data();
        for (std::uint32_t column = 0; column < n_columns; ++column) {
            // The interval worth most (Kadane).
            std::int64_t sum = 0;
            Rank from = 0;
            for (std::uint32_t rank = 0; rank <= table_.last[column]; ++rank) {
                if (sum <= 0) {
                    sum = 0;
                    from = static_cast<Rank>(rank);
                }
                sum += *sums++;
                if (sum > most) {
                    most = sum;
                    best = column;
                    low = from;
                    high = static_cast<Rank>(rank);
                }
            }
        }
        work -= static_cast<std::int64_t>((box_.size() + 16) * table_.n_columns);
        if (best == table_.n_columns) return;
        keep(best, low, high);
    }
}

}  // namespace ostrya
