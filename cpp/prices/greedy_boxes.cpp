#include "prices/greedy_boxes.hpp"

#include <algorithm>
#include <numeric>

#include "data/row_hash.hpp"

namespace ostrya {
namespace {

/// At most so many cuts by chance, and tries to meet a row that is worth something.
constexpr std::uint32_t most_cuts = 3;
constexpr int most_tries = 64;

}  // namespace

GreedyBoxes::GreedyBoxes(const RankTable& table, MemoryBudget& memory)
    : table_(table), box_(memory), sums_(table.most_ranks, memory) {}

std::uint32_t GreedyBoxes::draw(std::uint32_t end) {
    return static_cast<std::uint32_t>((mix_bits(++seed_) >> 32) * end >> 32);
}

void GreedyBoxes::keep(std::uint32_t column, Rank low, Rank high) {
    const Rank* ranks = table_.column(column);
    std::erase_if(box_, [&](std::uint32_t group) {
        return ranks[group] < low || ranks[group] > high;
    });
}

void GreedyBoxes::cut_by_chance(const Vector<Price>& worth) {
    std::uint32_t inside = draw(table_.n_groups);
    for (int at = 0; at < most_tries && worth[inside] <= 0; ++at) {
        inside = draw(table_.n_groups);
    }
    const std::uint32_t n = draw(most_cuts + 1);
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

void GreedyBoxes::grow(const Vector<Price>& worth, bool is_by_chance,
                       std::int64_t& work) {
    box_.resize(table_.n_groups);
    std::iota(box_.begin(), box_.end(), 0);
    if (is_by_chance) cut_by_chance(worth);
    while (true) {
        worth_ = 0;
        for (const std::uint32_t group : box_) worth_ += worth[group];
        std::int64_t most = worth_;
        std::uint32_t best = table_.n_columns;
        Rank low = 0, high = 0;
        for (std::uint32_t column = 0; column < table_.n_columns; ++column) {
            const Rank* ranks = table_.column(column);
            std::fill_n(sums_.begin(), std::size_t{table_.last[column]} + 1, 0);
            for (const std::uint32_t group : box_) sums_[ranks[group]] += worth[group];
            // The interval worth most (Kadane).
            std::int64_t sum = 0;
            Rank from = 0;
            for (std::uint32_t rank = 0; rank <= table_.last[column]; ++rank) {
                if (sum <= 0) {
                    sum = 0;
                    from = static_cast<Rank>(rank);
                }
                sum += sums_[rank];
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
