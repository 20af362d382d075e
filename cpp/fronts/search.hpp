/// The tree of least cost under a loss of the caller's own, by dynamic programming over
/// fronts: of every row set the trees that no other beats in false positives, false
/// negatives and leaves at once. Of equal counts one tree serves for all.
///
/// Only trees within a budget of priced cost are listed. Prices are chosen so that the
/// trees that can still be better than the best have little more than the least priced
/// cost: what the sibling of a subproblem costs at least is taken off the budget. A
/// front that is complete up to a budget is complete for every smaller one.
#pragma once

#include "fronts/front.hpp"
#include "fronts/least_cost.hpp"
#include "fronts/loss_table.hpp"
#include "objective/limits.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya::fronts {

/// The priced cost of a tree is its false positives and false negatives at these prices
/// plus the penalties of its leaves. A tree that costs less than the goal costs at
/// least its priced cost plus `shift`.
struct Prices {
    Weight false_positive;  // at least 1
    Weight false_negative;  // at least 1
    Cost penalty;
    Cost shift;
};

struct Options {
    std::optional<Cost> upper;  // only trees cheaper than this are wanted
    Cost lower = 0;             // no tree is known to be cheaper
    Limits limits;
    Prices prices;
};

class Search {
public:
    Search(leaf_sets::LeafCache& leaves, LossTable& loss, const Options& options,
           StopSign& stop, Progress& progress);

    Result run();

private:
    void weigh_lone_leaf();
    void search_within(Cost budget);
    void list_root(Cost budget);
    bool complete(std::uint32_t index, Cost budget);
    void add_leaf(std::uint32_t leaf, Cost budget, Front& front) const;
    bool add_splits(const Subproblem& parent, Cost budget, Front& front);
    bool add_split(std::uint32_t split, std::uint32_t depth, Cost budget, Front& front);
    void add_sums(std::uint32_t split, std::uint32_t yes, std::uint32_t no, Cost budget,
                  Front& front);
    void keep_living(Front& front, std::uint32_t more_leaves);
    void weigh(const Front& front);
    Cost most_budget() const;
    void prove(Cost lower);
    void publish();
    Result result();
    FoundTree found_tree() const;

    leaf_sets::LeafCache& leaves_;
    LossTable& loss_;
    const Options& options_;
    StopSign& stop_;
    Progress& progress_;
    MemoryBudget& memory_;
    Subproblems subproblems_;
    LeastCost least_cost_;
    Vector<Point> points_;  // of all fronts
    std::uint32_t n_levels_ = 0;
    std::uint64_t n_hits_ = 0;
    Point best_{};
    Cost best_cost_ = unreachable;
    const StopCheck is_stopped_ = [this] { return stop_.is_up(); };
    Cost goal_;   // only cheaper trees are looked for
    Cost lower_;  // proved so far
};

}  // namespace ostrya::fronts
