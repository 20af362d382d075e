/// Exact search: depth-first branch and bound with budgets, a memo, and bounds carried
/// along columns.
///
/// `solve` is asked for a tree cheaper than a budget, or a proof that there is none.
/// At a node: memo, bounds on leaves, scan of single splits, scan of split pairs, then
/// the children of the splits whose lower bound is below the best known cost, in order
/// of that bound. At the root the budget of a split is the lower bound of the next one,
/// so that the root's lower bound rises steadily.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "objective/problem.hpp"
#include "search/bracket.hpp"
#include "tables/cross_tables.hpp"
#include "search/level.hpp"
#include "tables/loss_tables.hpp"
#include "search/memo.hpp"
#include "node/node.hpp"
#include "search/options.hpp"
#include "pairs/pair_counter.hpp"
#include "tables/sibling_tables.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// What is known about a split of the root without visiting its children.
struct SplitReport {
    Split split;
    ChildCosts yes, no;
    Cost yes_lower = 0;
    Cost no_lower = 0;
    Cost rest = 0;  // of trees with this first split that are deeper than two
};

template <class Sum>
class Solver {
public:
    Solver(const Problem& problem, const Options& options, StopSign& stop,
           Progress& progress);

    Result run();

    /// Bounds of the root's splits after both scans, without any search.
    std::vector<SplitReport> inspect();

    /// Least seconds, of several tries, that all pairs of splits of the root take.
    double time_pairs(int repeats);

private:
    using LevelT = Level<Sum>;

    LevelT& level_at(std::size_t depth);

    /// The best depth-two tree a scan of pairs found: its cost and its first split.
    struct Found {
        Cost cost = unreachable;
        std::uint32_t split = none;
    };

    // The first incumbent (greedy.cpp).
    using Grow = Bracket (Solver::*)(std::size_t depth, Limits limits);
    Bracket greedy(std::size_t depth, Limits limits);
    Bracket careful(std::size_t depth, Limits limits);
    std::uint32_t try_columns(std::size_t depth, Limits limits, Bracket& best);
    Bracket exact_below(std::size_t depth, Limits limits);
    Bracket look_ahead(std::size_t depth, Limits limits, Grow grow);
    void descend(std::size_t depth, std::uint32_t split, Limits limits, Grow grow,
                 Bracket& best);
    void grow_with_care(Limits limits, Bracket& best);
    double purity(const Node<Sum>& node, std::uint32_t split) const;
    std::vector<std::uint32_t> purest_splits(const LevelT& level) const;
    bool pairs_take_long(const Node<Sum>& node) const;
    void grow_greedily(std::uint32_t split, Limits limits, Bracket& best);

    // One node (solver.cpp).
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);
    bool scan_node(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    void branch(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    Cost root_cap(Cost least, Cost goal) const;

    /// The next split to explore, its bound, and how much more than the goal to prove.
    struct Choice {
        std::uint32_t split;
        Cost rest;
        Cost slack;
    };
    Choice choose_split(const LevelT& level, Cost goal) const;
    Cost least_rest(const LevelT& level) const;

    // Children of one split (explore.cpp).
    void explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);
    void share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);
    void count_children(std::size_t depth, std::uint32_t split, Limits limits,
                        Cost cap);
    template <class Tables>
    void count_with(Tables& tables, std::size_t depth, std::uint32_t split,
                    bool for_yes, bool for_no, Limits limits);
    bool fits_narrow_lanes(const Node<Sum>& node) const;
    bool has_use_for_neighbours(const Node<Sum>& node, Limits limits) const;

    // Scans (scans.cpp).
    void scan_singles(LevelT& level, Bracket& best);
    Found scan_pairs(LevelT& level, Limits limits, Cost goal);
    void scan_bit_pairs(LevelT& level, Limits limits, Cost goal, Found& found);
    void scan_histogram_pairs(LevelT& level, std::uint32_t index, Limits limits,
                              Cost goal, Found& found);
    void choose_cuts(const LevelT& level, std::uint32_t index, Cost goal,
                     std::size_t speed);
    Cost note_pairs(LevelT& level, std::uint32_t split, Limits limits, Found& found);
    void compare_splits(LevelT& level, std::uint32_t split, Cost lower, Cost goal);
    bool needs_cells(Limits limits) const;
    void scan_tables(LevelT& level, Limits limits, Found& found);
    template <class Tables, class ScanColumn>
    bool scan_with(Tables& tables, const Node<Sum>& node, const ScanColumn& scan);
    bool may_use_blocks(Limits limits) const;
    ChildCosts costs_of(const ChildLosses& losses, Limits child_limits) const;
    void scan_one(LevelT& level, std::uint32_t split);
    Subtree depth_two_tree(LevelT& level, const Found& found);

    Cost leaf_cost(const Node<Sum>& node) const {
        return problem_.grid.of(builder_.reader().loss(node.total.data(), 1), 1);
    }
    std::uint64_t memory_now() const;
    void forget();
    void watch_memory();
    bool make_room(std::size_t depth);
    void publish(const Bracket& best);

    const Problem& problem_;
    const Options& options_;
    Switches switches_;
    StopSign& stop_;
    Progress& progress_;
    SubtreePool pool_;
    NodeBuilder<Sum> builder_;
    PairCounter<Sum> counter_;
    CrossTables<Sum, std::uint16_t> narrow_tables_;
    CrossTables<Sum, std::uint32_t> wide_tables_;
    LossTables<Sum, std::int16_t> narrow_losses_;
    LossTables<Sum, std::int32_t> wide_losses_;
    SiblingTables<Sum, std::int16_t> narrow_siblings_;
    SiblingTables<Sum, std::int32_t> wide_siblings_;
    Memo memo_;
    std::vector<std::unique_ptr<LevelT>> levels_;
    Statistics statistics_;
    std::vector<std::uint32_t> chosen_cuts_;  // scratch of scan_histogram_pairs
    std::vector<Sum> distances_;              // scratch of compare_splits
    std::uint64_t since_memory_check_ = 0;
    static constexpr std::int64_t no_cell_limit = std::int64_t{1} << 62;
    std::int64_t cells_left_ = no_cell_limit;  // limited while a greedy tree grows
    bool persists_ = false;  // greedy trees grow on where no pair lowers the loss

    /// Whether to come back, asked before each piece of work on a node.
    bool is_stopped(const Node<Sum>& node) {
        return stop_.is_up_before(node.n_rows + std::size_t{node.width} * node.n_words);
    }
    bool may_look_at(std::uint32_t n_cells) { return (cells_left_ -= n_cells) > 0; }
};

}  // namespace ostrya
