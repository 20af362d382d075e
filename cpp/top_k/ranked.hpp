/// A split with its score, and which of two is better: less impurity left, then the
/// lower column, then the lower cut.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/columns.hpp"
#include "top_k/impurity.hpp"

namespace ostrya {

struct Ranked {
    double score = no_score;
    std::uint64_t name = ~std::uint64_t{0};  // column and cut
    std::size_t place = 0;                   // where its sums are

    Ranked() = default;
    Ranked(double its_score, const Split& split, std::size_t its_place)
        : score(its_score),
          name(std::uint64_t{split.column} << 32 | split.cut),
          place(its_place) {}

    std::uint32_t column() const { return static_cast<std::uint32_t>(name >> 32); }
    std::uint32_t cut() const { return static_cast<std::uint32_t>(name); }

    bool operator<(const Ranked& other) const {
        return score != other.score ? score < other.score : name < other.name;
    }
};

}  // namespace ostrya
