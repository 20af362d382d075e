/// What the caller wants solved, already validated and on the integer grid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "data/known_ranks.hpp"
#include "data/matrix.hpp"
#include "objective/cost.hpp"
#include "objective/limits.hpp"

namespace ostrya {

struct Request {
    Matrix values;     // rows x features
    KnownRanks known;  // of the same
    const std::int32_t* codes = nullptr;
    const std::int64_t* weights = nullptr;
    std::size_t weight_step = 1;              // 0: one weight for all rows
    const std::int64_t* costs = nullptr;      // n_labels x n_labels, true x predicted
    const std::int32_t* reference = nullptr;  // optional labels of a reference model
    /// What each label gains on each row over the worst label, rows x n_labels, where
    /// every row has costs of its own; then there are no codes, weights and costs.
    /// Null: a row costs `costs[code][label]` times its weight.
    const Weight* gains = nullptr;
    std::size_t n_labels = 0;
    CostScale scale;
    Limits limits;
    std::uint32_t min_samples_leaf = 1;
    /// Children whose potential is at most this are never needed (bound 3); -1: off.
    Weight support_floor = 0;
    /// Up to how many cuts a column is spread into bits; by default as measured.
    std::optional<std::uint32_t> few_cuts;
    /// Whether pairs are counted in cross tables; by default as measured.
    std::optional<bool> cross_tables;
    /// Splits compete by name (Top-k): columns that part the rows alike are all kept,
    /// and so is what every class weighs.
    bool ranks_splits = false;
    /// Every tree counts (Rashomon sets): splits are kept by name as above, and rows
    /// that are indifferent to their label are marked, since they make leaves too.
    bool counts_trees = false;
    /// Threads that may prepare the table; nothing depends on them.
    std::size_t n_threads = 1;

    Weight weight(std::size_t row) const { return weights[row * weight_step]; }
    std::span<const Weight> gains_of(std::size_t row) const {
        return {gains + row * n_labels, n_labels};
    }

    /// True when no sum of weights, losses or costs can overflow; see
    /// `most_scaled_loss`.
    bool is_on_grid() const {
        __int128 dearest = 0, mass = 0;
        for (std::size_t row = 0; row < values.n_rows(); ++row) {
            if (gains != nullptr) {
                for (const Weight gain : gains_of(row)) dearest += gain;
                continue;
            }
            const auto label = static_cast<std::size_t>(codes[row]);
            const std::int64_t* of_label = costs + label * n_labels;
            const std::int64_t most = *std::max_element(of_label, of_label + n_labels);
            dearest += static_cast<__int128>(weight(row)) * most;
            mass += weight(row);
        }
        return mass <= most_scaled_loss && scale.factor > 0 && 0 <= scale.penalty &&
               scale.penalty <= most_scaled_loss / 2 &&
               dearest * scale.factor <= most_scaled_loss;
    }
};

}  // namespace ostrya
