/// Prices of all rows of a problem: a lower bound of every subproblem at once (B10).
///
/// Prices are feasible when no box of rows pays more than it costs as a leaf, under any
/// label. They are sought in rounds. A round aims at a target below the cost of the
/// best tree known: the pool gives prices that sum to it and respect every box met so
/// far; then an exhaustive search, label by label and in integers, takes back what any
/// further box pays too much. So every round ends with feasible prices and a proof,
/// and the boxes it met make the next one better.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/price_scale.hpp"
#include "prices/greedy_boxes.hpp"
#include "prices/parted_search.hpp"
#include "prices/price_pool.hpp"
#include "prices/price_state.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

class RowPrices {
public:
    /// Without helpers one thread does it all.
    RowPrices(const Problem& problem, MemoryBudget& memory,
              const Tuning::Prices& tuning = {}, OpenLoop* helpers = nullptr);

    /// Seek better prices where the best tree known costs `upper`, until there are any
    /// or `work` is used up: rows looked at. It is reduced by what was done.
    bool improve(Cost upper, std::int64_t& work, StopSign& stop);

    /// Whether other threads are called to help, if there are any.
    void call_for_help(bool is_needed) { search_.call_for_help(is_needed); }

    /// What another search for prices of the same problem needs to go on from here;
    /// with boxes of so many rows altogether, at most.
    PriceState state(std::size_t most_rows, MemoryBudget& memory) const;
    /// Go on from there, before the first round.
    void go_on_from(const PriceState& state);

    /// Whether more work is of no use: the bound has met the target, or stays.
    bool is_settled() const { return is_settled_; }

    const PriceScale& scale() const { return scale_; }
    /// Feasible prices of all row groups.
    const Vector<Price>& prices() const { return best_; }
    std::int64_t sum() const { return best_sum_; }

private:
    void start_round(std::int64_t upper, std::int64_t& work, StopSign& stop);
    void set_label(std::uint32_t label);
    void start_label(std::uint32_t label);
    bool look_greedily(std::int64_t goal, std::int64_t& work, StopSign& stop);
    void take_back(const Vector<std::uint32_t>& box, std::int64_t excess);
    void aim_lower();
    void aim_further(double goal);
    bool finish_round(std::int64_t upper);

    Tuning::Prices tuning_;
    PriceScale scale_;
    std::uint32_t n_labels_, n_groups_;
    Vector<Price> losses_;    // label by label
    Vector<double> weights_;  // what the groups can lose, by label
    RankTable table_;
    GreedyBoxes greedy_;
    PartedSearch search_;
    PricePool pool_;

    Vector<double> pooled_;  // prices by the pool
    Vector<Price> prices_;   // being made feasible
    Vector<Price> worth_;    // prices less what the label loses
    std::uint32_t label_ = 0;
    bool is_in_round_ = false;
    int n_greedy_ = 0;  // rounds in a row without a search for all boxes
    /// Prices of zero or more come first: boxes that pay too much are found many times
    /// faster. Only where these are at their end, some fall below zero.
    bool may_be_negative_ = false;
    double target_ = 0;
    double refused_ = 0;              // a target that the pool does not come to
    std::int64_t taken_back_ = 0;     // in this round
    std::optional<double> too_long_;  // a target for which the search took too long
    std::int64_t round_work_ = 0, most_round_work_ = tuning_.first_round_work;
    double last_target_ = 0, last_work_ = 0;  // of the last round: a share, a logarithm
    double growth_ = 18;                      // of the latter with the former
    int n_idle_ = 0;                          // rounds in a row that hardly helped
    bool is_settled_ = false;
    Vector<Price> best_;
    std::int64_t best_sum_ = 0;
    /// What greedy boxes may take in a round: as much as the last search for all.
    std::int64_t most_greedy_work_;
};

/// Bytes of `RowPrices` with its tables, near enough to leave prices alone where they
/// do not fit; `most_cuts` as there. Boxes met later come on top.
std::uint64_t price_bytes(const Problem& problem, std::size_t most_cuts);

}  // namespace ostrya
