#include "prices/row_prices.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace ostrya {
namespace {

/// What every group loses under each label, label by label.
Vector<Price> losses_of(const Problem& problem, const PriceScale& scale,
                        MemoryBudget& memory) {
    const std::size_t n = problem.n_groups, n_labels = problem.layout.n_labels;
    Vector<Price> out(n_labels * n, memory);
    for (std::size_t group = 0; group < n; ++group) {
        const Weight* gains = problem.sums.data() + group * problem.layout.size();
        const Weight most = *std::max_element(gains, gains + n_labels);
        for (std::size_t label = 0; label < n_labels; ++label) {
            const Cost loss = problem.scale.factor * (most - gains[label]);
            out[label * n + group] = static_cast<Price>(scale.units(loss));
        }
    }
    return out;
}

/// How much each group has to do with what is spread or taken back: the most that it
/// can lose, times what the rows of all other labels weigh beside those of its own. A
/// search under one label looks at all rows of that label as gains; so where a label is
/// rare its rows pay more, and no label has gains out of all proportion. The sum stays
/// what all groups can lose, or less: 2^26 units and what rounding adds. A price is at
/// most eight times the weight of its group, so that sums of prices over any rows are
/// below 2^30 in size, and fit 32 bits with room for the losses.
Vector<double> weights_of(const Vector<Price>& losses, std::size_t n_groups,
                          MemoryBudget& memory) {
    const std::size_t n_labels = losses.size() / n_groups;
    Vector<double> out(n_groups, memory);
    Vector<std::size_t> labels(n_groups, memory);
    Vector<double> masses(n_labels, memory);
    double total = 0;
    for (std::size_t group = 0; group < n_groups; ++group) {
        for (std::size_t label = 0; label < n_labels; ++label) {
            const Price loss = losses[label * n_groups + group];
            out[group] = std::max<double>(out[group], loss);
            if (loss < losses[labels[group] * n_groups + group]) labels[group] = label;
        }
        masses[labels[group]] += out[group];
        total += out[group];
    }
    for (std::size_t group = 0; group < n_groups; ++group) {
        const double mass = masses[labels[group]];
        if (mass <= 0 || mass >= total) continue;
        out[group] *= (total - mass) / mass / static_cast<double>(n_labels - 1);
    }
    return out;
}

}  // namespace

RowPrices::RowPrices(const Problem& problem, MemoryBudget& memory,
                     const Tuning::Prices& tuning, OpenLoop* helpers)
    : tuning_(tuning),
      scale_(problem),
      n_labels_(problem.layout.n_labels),
      n_groups_(static_cast<std::uint32_t>(problem.n_groups)),
      losses_(losses_of(problem, scale_, memory)),
      weights_(weights_of(losses_, n_groups_, memory)),
      table_(problem, memory),
      greedy_(table_, tuning, memory),
      search_(table_, tuning, helpers, memory),
      pool_(weights_, tuning, memory),
      pooled_(n_groups_, memory),
      prices_(n_groups_, memory),
      worth_(n_groups_, memory),
      best_(n_groups_, memory),
      most_greedy_work_(tuning_.first_boxes * std::int64_t{n_groups_} *
                        table_.n_columns) {}

bool RowPrices::improve(Cost upper, std::int64_t& work, StopSign& stop) {
    const std::int64_t goal = scale_.units(upper);
    const Dismissal at_the_end(search_);
    while (!is_settled_ && work > 0 && !stop.is_up()) {
        if (!is_in_round_) start_round(goal, work, stop);
        if (!is_in_round_) continue;
        std::int64_t slice = std::min(work, most_round_work_ + 1 - round_work_);
        work -= slice;
        round_work_ += slice;
        const PartedSearch::Outcome outcome = search_.run(slice, stop);
        work += slice;
        round_work_ -= slice;
        if (round_work_ > most_round_work_ &&
            outcome != PartedSearch::Outcome::none_left) {
            aim_lower();
            continue;
        }
        switch (outcome) {
            case PartedSearch::Outcome::found:
                take_back(search_.box(), search_.excess());
                search_.worths_have_fallen();
                break;
            case PartedSearch::Outcome::none_left:
                if (++label_ < n_labels_) {
                    start_label(label_);
                } else if (finish_round(goal)) {
                    return true;
                }
                break;
            case PartedSearch::Outcome::paused:
                break;
        }
    }
    return false;
}

void RowPrices::start_round(std::int64_t upper, std::int64_t& work, StopSign& stop) {
    search_.dismiss();
    const auto goal = static_cast<double>(upper);
    if (target_ == 0) {
        target_ = tuning_.first_aim * goal;
        refused_ = goal;
    }
    refused_ = std::min(refused_, goal);
    target_ = std::min(target_, refused_);
    const bool is_reached = pool_.project(
        pooled_, {target_, tuning_.tolerance * scale_.penalty, may_be_negative_}, work,
        stop);
    if (stop.is_up()) return;
    if (!is_reached) refused_ = std::min(refused_, target_);
    taken_back_ = 0;
    round_work_ = 0;
    for (std::uint32_t group = 0; group < n_groups_; ++group) {
        const double most = 8 * weights_[group];
        assert(most < 1 << 30);
        prices_[group] =
            static_cast<Price>(std::lround(std::clamp(pooled_[group], -most, most)));
    }
    // While boxes are found in no time, there is no use in a search for all of them.
    if (look_greedily(upper, work, stop) && ++n_greedy_ < tuning_.most_greedy) return;
    n_greedy_ = 0;
    is_in_round_ = true;
    start_label(0);
}

/// Take back what boxes pay too much that are found without a search; returns whether
/// that was much.
bool RowPrices::look_greedily(std::int64_t goal, std::int64_t& work, StopSign& stop) {
    for (std::uint32_t label = 0; label < n_labels_; ++label) {
        set_label(label);
        // Where a search for all boxes takes no longer, there is no use in going on.
        const std::int64_t least = work - most_greedy_work_ / n_labels_;
        bool is_by_chance = false;
        for (int n_vain = 0; n_vain < tuning_.most_vain && work > least &&
                             !stop.is_up_before(n_groups_);) {
            const std::int64_t before = work;
            greedy_.grow(worth_, std::exchange(is_by_chance, true), work);
            stop.counted.add(0, static_cast<std::uint64_t>(before - work));
            const std::int64_t excess = greedy_.worth() - scale_.penalty;
            if (excess > 0) take_back(greedy_.box(), excess);
            n_vain = excess > 0 ? 0 : n_vain + 1;
        }
    }
    return static_cast<double>(taken_back_) >
           tuning_.greedy_gain * static_cast<double>(goal);
}

void RowPrices::set_label(std::uint32_t label) {
    label_ = label;
    const Price* losses = losses_.data() + std::size_t{label} * n_groups_;
    for (std::uint32_t group = 0; group < n_groups_; ++group) {
        worth_[group] = prices_[group] - losses[group];
    }
}

void RowPrices::start_label(std::uint32_t label) {
    set_label(label);
    search_.start(worth_, scale_.penalty);
}

/// A box pays too much: its rows pay less from now on, in proportion to what they pay.
/// So no price falls below zero, and rows that pay little keep it.
void RowPrices::take_back(const Vector<std::uint32_t>& box, std::int64_t excess) {
    const Price* losses = losses_.data() + std::size_t{label_} * n_groups_;
    double paid = 0, cost = scale_.penalty;
    for (const std::uint32_t group : box) {
        paid += std::max(prices_[group], 0);
        cost += losses[group];
    }
    assert(static_cast<double>(excess) <= paid);
    pool_.add(box, cost);
    std::int64_t left = excess;
    taken_back_ += excess;
    const double share = static_cast<double>(excess) / paid;
    for (const std::uint32_t group : box) {
        if (left <= 0) break;
        const auto part = std::min(
            left,
            static_cast<std::int64_t>(std::ceil(share * std::max(prices_[group], 0))));
        prices_[group] -= static_cast<Price>(part);
        worth_[group] -= static_cast<Price>(part);
        left -= part;
    }
    assert(left <= 0);
}

/// A search for all boxes takes too long: with lower prices there are fewer to look at.
void RowPrices::aim_lower() {
    is_in_round_ = false;
    too_long_ = target_;
    const auto reached = static_cast<double>(best_sum_);
    target_ = reached > 0 ? (reached + target_) / 2 : tuning_.lowering * target_;
    // Hardly above what is reached: a lower aim is of no use, a longer search may be.
    if (target_ - reached < tuning_.least_step * target_) most_round_work_ *= 2;
}

/// The work of a round grows like a power of its target: aim where the next is expected
/// to take some times the work of this one, as the last two rounds have it, and give it
/// twice of that before it is given up.
void RowPrices::aim_further(double goal) {
    const double done = target_ / goal;
    const double work = std::log(static_cast<double>(
        std::max<std::int64_t>(round_work_, most_round_work_ / 64)));
    if (last_target_ > 0 && done > last_target_) {
        const double seen = (work - last_work_) / (done - last_target_);
        growth_ = std::clamp(seen, tuning_.least_growth, tuning_.most_growth);
    }
    last_target_ = done;
    last_work_ = work;
    most_round_work_ =
        std::max(most_round_work_,
                 static_cast<std::int64_t>(2 * tuning_.next_work * std::exp(work)));
    const double step = std::log(tuning_.next_work) / growth_;
    target_ = std::min(refused_, target_ + std::max(step, tuning_.least_step) * goal);
}

/// Keep prices that are better than the last; returns whether they are.
bool RowPrices::finish_round(std::int64_t upper) {
    is_in_round_ = false;
    most_greedy_work_ = round_work_;
    const std::int64_t sum =
        std::accumulate(prices_.begin(), prices_.end(), std::int64_t{0});
    const auto gain = static_cast<double>(sum - best_sum_);
    const auto goal = static_cast<double>(upper);
    const bool is_better = sum > best_sum_;
    if (is_better) {
        best_sum_ = sum;
        best_ = prices_;
    }
    const auto reached = static_cast<double>(best_sum_);
    bool is_at_end = false;
    if (too_long_) {
        aim_further(goal);
    } else if (target_ - reached < 0.1 * (refused_ - reached) || target_ == refused_) {
        // Met, or out of reach: aim between what is reached and what is refused.
        target_ =
            refused_ - reached < 1e-3 * goal ? refused_ : (reached + refused_) / 2;
        is_at_end = target_ == refused_ && refused_ < goal;
    }
    n_idle_ = gain < tuning_.least_gain * goal && !too_long_ ? n_idle_ + 1 : 0;
    is_at_end = is_at_end || n_idle_ >= tuning_.most_idle;
    is_settled_ = scale_.cost_of(best_sum_) >= scale_.cost_of(upper) ||
                  (is_at_end && may_be_negative_);
    if (is_at_end && !may_be_negative_) {
        may_be_negative_ = true;
        n_idle_ = 0;
        refused_ = goal;
        target_ = (reached + goal) / 2;
    }
    return is_better;
}

}  // namespace ostrya
