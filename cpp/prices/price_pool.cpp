#include "prices/price_pool.hpp"

#include <algorithm>
#include <numeric>

namespace ostrya {

PricePool::PricePool(const Vector<double>& weight, const Tuning::Prices& tuning,
                     MemoryBudget& memory)
    : weight_(weight),
      most_sweeps_(tuning.most_sweeps),
      sweeps_between_(tuning.sweeps_between),
      total_weight_(std::accumulate(weight.begin(), weight.end(), 0.0)),
      boxes_(memory),
      rows_(memory),
      tight_(memory) {}

void PricePool::add(const Vector<std::uint32_t>& box, double cost) {
    const std::size_t begin = rows_.size();
    rows_.insert(rows_.end(), box.begin(), box.end());
    double weight = 0;
    for (const std::uint32_t row : box) weight += weight_[row];
    boxes_.push_back({begin, rows_.size(), cost, weight});
}

double PricePool::repair(const Box& box, Vector<double>& prices) const {
    // Four sums side by side: one addition need not wait for another.
    double sums[4] = {};
    std::size_t at = box.begin;
    for (; at + 4 <= box.end; at += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            sums[lane] += prices[rows_[at + lane]];
        }
    }
    for (; at < box.end; ++at) sums[0] += prices[rows_[at]];
    const double excess = (sums[0] + sums[1]) + (sums[2] + sums[3]) - box.cost;
    if (excess > 0) {
        const double share = excess / box.weight;
        for (at = box.begin; at < box.end; ++at) {
            prices[rows_[at]] -= share * weight_[rows_[at]];
        }
    }
    return excess;
}

void PricePool::spread(Vector<double>& prices, double target) const {
    const double sum = std::accumulate(prices.begin(), prices.end(), 0.0);
    const double share = (target - sum) / total_weight_;
    for (std::size_t row = 0; row < prices.size(); ++row) {
        prices[row] += share * weight_[row];
    }
}

bool PricePool::project(Vector<double>& prices, const Aim& aim, std::int64_t& work,
                        StopSign& stop) {
    for (int sweep = 0; sweep < most_sweeps_; ++sweep) {
        // Boxes that are not tight are looked at in some sweeps only.
        const bool is_full = sweep % sweeps_between_ == 0;
        double worst = 0;
        std::size_t n_looked_at = prices.size();
        const auto look_at = [&](std::uint32_t box) {
            const double excess = repair(boxes_[box], prices);
            worst = std::max(worst, excess);
            n_looked_at += boxes_[box].end - boxes_[box].begin;
            return excess;
        };
        if (!aim.may_be_negative) {
            for (double& price : prices) price = std::max(price, 0.0);
        }
        spread(prices, aim.target);
        if (is_full) {
            tight_.clear();
            for (std::uint32_t box = 0; box < boxes_.size(); ++box) {
                const double excess = look_at(box);
                if (excess > -0.02 * boxes_[box].cost) tight_.push_back(box);
            }
        } else {
            for (const std::uint32_t box : tight_) look_at(box);
        }
        work -= static_cast<std::int64_t>(n_looked_at);
        if (stop.is_up_before(n_looked_at)) return false;
        if (worst <= aim.tolerance) {
            if (is_full) return true;
            sweep += sweeps_between_ - 1 - sweep % sweeps_between_;
        }
    }
    return false;
}

}  // namespace ostrya
