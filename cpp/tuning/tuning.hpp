/// Every constant that decides when the engine does what, in one table.
///
/// None of them changes a proof: they decide how soon good trees are found, when dual
/// prices and small depths get their time slices, and when threads are started. Units
/// are in the comments: *words* and *nanoseconds* are counted work
/// (watch/work_count.hpp), not measured time, so a search takes the same steps on every
/// machine. A *cell* is one pair of splits for two labels. docs/research/tuning.md
/// lists where each value comes from; a test compares that page with this file.
///
/// Tests that need an eager schedule pass a `Tuning` of their own. Constants of inner
/// loops are in `FixedTuning`, since they have to be known when the engine is compiled.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ostrya {

struct Tuning {
    /// The main search: the root, its children and the threads that share them.
    struct Search {
        /// Words. From here on a search is long: threads join it, its tree is chosen by
        /// the stated rule, and a resumed search uses its checkpoint.
        std::uint64_t long_work = std::uint64_t{1} << 24;
        /// Multiples of the effort after which a search with `max_depth="auto"` ends,
        /// whatever is proved.
        std::uint64_t most_efforts = 2;
        /// Subproblems after which the bounds of root splits are raised by halves of
        /// the gap instead of all at once.
        std::uint64_t subproblems_before_halving = 20'000;
        /// Part of the goal below which such a half is not worth another step.
        std::int64_t last_step_part = 8;
        /// Part of the goal by which a cut may be searched further than needed, if that
        /// settles the cuts around it (B5).
        std::int64_t most_slack_part = 8;
        /// Cuts of each column that are scanned where pairs prove nothing.
        std::size_t idle_cuts = 16;
        /// Words that a node's scan of pairs reads, from which on threads share its
        /// splits.
        std::size_t least_shared_work = std::size_t{1} << 12;
        /// Words between two exchanges of a thread with the others.
        std::uint64_t work_between_exchanges = std::uint64_t{1} << 18;
        /// Levels as large as the root that each thread needs memory for.
        std::uint64_t levels_per_thread = 2;
        /// Bytes of tables that a node keeps for its children.
        std::uint64_t most_table_bytes = std::uint64_t{64} << 20;
        /// Bytes of bounds of earlier children that a node keeps for the next ones.
        std::uint64_t most_neighbour_bytes = std::uint64_t{64} << 20;
        /// Part of the memory limit that either of them may take, and that must be left
        /// to restore the memo of a checkpoint.
        std::uint64_t memory_part = 8;
        /// Nanoseconds that ranking and merging takes per cell of the table.
        std::uint64_t preparation_per_cell = 30;
        /// Part of the work of earlier tasks that a task of a cluster must have done to
        /// save a checkpoint.
        std::uint64_t new_work_part = 8;
    } search;

    /// Greedy trees at the root, before and after its pairs are scanned.
    struct FirstTrees {
        /// Cells that the first greedy tree may scan; then splits are chosen by purity.
        std::int64_t greedy_cells = 400'000'000;
        /// The same for every later tree of a search.
        std::int64_t later_greedy_cells = 50'000'000;
        /// The same before the pairs of a wide root are scanned.
        std::int64_t early_cells = 15'000'000;
        /// The same for the trees below other root splits.
        std::int64_t around_cells = 1'500'000;
        /// Pairs of root splits from which on a tree is grown before they are scanned.
        std::int64_t wide_root_pairs = 20'000'000;
        /// Root splits up to which the last three levels of the first tree are exact.
        std::uint32_t narrow_root_splits = 150;
        /// Words of a scan of the root's pairs from which on more is done before it.
        std::uint64_t long_scan = std::uint64_t{1} << 30;
        /// Depth up to which trees of small depth are grown too.
        std::uint32_t most_small_depth = 4;
        /// Depth of the first tree of purest splits where leaves are free.
        std::uint32_t soon_depth = 6;
        /// Leaves that a tree can pay for from which on a search is sure to be long, if
        /// its depth is `long_depth`, or `long_wide_depth` at a root of
        /// `long_wide_splits`: then more time is spent on the first tree.
        std::uint32_t long_leaves = 16;
        std::uint32_t long_depth = 6;
        std::uint32_t long_wide_depth = 4;
        std::uint32_t long_wide_splits = 64;
        /// Levels that a first tree may have.
        std::size_t most_levels = 64;
        /// Root splits from which on trees are grown from a sample of features before
        /// the root is built.
        std::size_t huge_root_splits = 2'000'000;
    } first_trees;

    /// Small depths beside the search of all trees.
    struct Deepening {
        /// Cells that the scan of depth two may look at before deeper pairs are
        /// scanned.
        std::int64_t depth_two_cells = 800'000'000;
        /// Words of the search before the first turn.
        std::uint64_t first_turn = std::uint64_t{1} << 23;
        /// The same where columns are yes/no questions.
        std::uint64_t first_turn_of_questions = std::uint64_t{1} << 28;
        /// Limit on depth up to which no turn comes sooner than that.
        std::uint32_t unhurried_depth = 4;
        /// Part of the work of three levels of splits after which the first turn comes,
        /// where columns are yes/no questions and leaves cost something.
        std::uint64_t parts_of_depth_three = 16;
        /// Words before which a turn is early: its share is `first_share`.
        std::uint64_t early = std::uint64_t{1} << 25;
        /// Part of the search's work between two turns while the proof is far, or late.
        std::uint64_t often_part = 4;
        /// Part of the search's work that a depth may take if nothing else is said.
        std::uint64_t usual_part = 16;
        /// Multiples of the search's work that a depth may take in early turns, and
        /// depth 3 at any time.
        std::uint64_t first_share = 4;
        /// Multiples that depth 3 and depth 4 may take while the proof is far.
        std::uint64_t far_share_of_three = 64;
        std::uint64_t far_share_of_four = 16;
        /// Part of the objective: the proof is far while less than this is proved.
        std::int64_t far_part = 2;
        /// Words from which on the search is late, and multiples of all other work that
        /// depth 4 may then take if the bound has not risen by `least_rise_part`.
        std::uint64_t late = std::uint64_t{1} << 32;
        std::uint64_t late_share = 4;
        std::int64_t least_rise_part = 50;
        /// Words at depth 4 or more before the splits of the incumbent come first.
        std::uint64_t before_promising = std::uint64_t{1} << 29;
        /// Splits of the incumbent that are tried first.
        std::size_t most_promising = 64;
    } deepening;

    /// Top-k searches that look for good trees beside the search.
    struct Incumbents {
        /// Nanoseconds of the search before their first turn.
        std::uint64_t first_turn = std::uint64_t{1} << 26;
        /// Part of the time so far that they may take.
        std::uint64_t share_part = 7;
        /// Part of the time so far between two turns.
        std::uint64_t turn_part = 8;
        /// Nanoseconds within which their greedy trees are finished in any case.
        std::uint64_t most_of_greedy = std::uint64_t{1} << 30;
        /// Part of the memory left that they may hold.
        std::uint64_t memory_part = 8;
        /// Nanoseconds that sorting the rows by every column takes per cell.
        std::uint64_t sorting_per_cell = 20;
    } incumbents;

    /// Dual prices (B10) beside the search.
    struct Prices {
        /// Words of a search, and boxes grown from all rows, before prices are sought.
        std::uint64_t least_work = std::uint64_t{1} << 22;
        std::uint64_t least_boxes = 32;
        /// Depth below which trees are searched faster than prices are found.
        std::uint32_t least_depth = 6;
        /// Words that a turn has at least.
        std::uint64_t least_turn = 0;
        /// Words that prices have before the first scan of pairs.
        std::uint64_t most_before_scan = std::uint64_t{1} << 25;
        /// Part of the search's work between two turns.
        std::uint64_t turn_part = 8;
        /// Multiples of the work between two turns that prices may take, and while they
        /// alone raise the bound and the proof is not near.
        std::uint64_t usual_share = 2;
        std::uint64_t leading_share = 6;
        /// Part of the objective: the proof is near from less than this on.
        std::int64_t near_part = 16;
        /// Multiples of its work so far that a search of yes/no questions has to itself
        /// once it has proved half of the objective, and words from which on not.
        std::uint64_t wait_while_near = 8;
        std::uint64_t most_wait = std::uint64_t{1} << 32;
        /// Whether other threads help in every turn, not only while prices lead.
        bool always_calls_for_help = false;
        /// Cuts up to which boxes are searched condition by condition, not by ranges.
        std::size_t few_cuts = 1024;
        /// Rows that one thread looks at before a search for boxes is shared.
        std::int64_t lone_work = std::int64_t{1} << 22;
        /// Rows that each part of a shared search looks at in a turn.
        std::int64_t turn_work = std::int64_t{1} << 19;
        /// Parts of a shared search, whatever the number of threads.
        std::size_t most_parts = 8;
        /// Share of the objective that the first round aims at.
        double first_aim = 0.99;
        /// Penalties by which a box may be overpaid before all boxes are searched.
        double tolerance = 1e-3;
        /// Share of the objective that a round must gain, and idle rounds until the
        /// end.
        double least_gain = 1e-4;
        int most_idle = 3;
        /// Share of the aim to go on with after a first round that took too long.
        double lowering = 0.7;
        /// Share of the objective by which to aim further at least.
        double least_step = 0.01;
        /// Growth of the logarithm of a round's work with its aim, at least and at
        /// most.
        double least_growth = 5, most_growth = 30;
        /// Multiples of the work of a round that the next one is meant to take.
        double next_work = 3;
        /// Greedy boxes in vain before others are tried.
        int most_vain = 50;
        /// Rounds of greedy boxes before all boxes are searched.
        int most_greedy = 30;
        /// Share of the objective that such a round must take back.
        double greedy_gain = 2e-3;
        /// Boxes of all rows that greedy boxes may cost in the first round.
        std::int64_t first_boxes = 64;
        /// Random cuts of a greedy box at most, and tries to find a row to start from.
        std::uint32_t most_random_cuts = 3;
        int most_tries = 64;
        /// Rows that a round may look at before it took too long, at first.
        std::int64_t first_round_work = std::int64_t{1} << 27;
        /// Sweeps of a projection at most, and between two sweeps over all boxes.
        int most_sweeps = 400;
        int sweeps_between = 16;
    } prices;

    /// Greedy trees from samples of rows, for tables too large for their limits.
    struct Greedy {
        /// Values of the first sample.
        std::size_t sample_values = 400'000;
        /// Rows of the first sample, at least and at most.
        std::size_t least_rows = 64, most_rows = 16'384;
        /// Times by which each sample is larger than the one before.
        std::size_t sample_growth = 8;
        /// Rows visited for the tree of a call whose time is up.
        std::size_t most_visits = 10'000'000;
        /// Rows visited for trees from all rows.
        std::size_t most_visits_of_all = 100'000'000;
        /// Nanoseconds per row visited.
        std::size_t nanoseconds_per_visit = 20;
    } greedy;

    /// The Top-k search.
    struct TopKSearch {
        /// Words of narrower searches from which on threads are started for a wider
        /// one.
        std::uint64_t share_start = std::uint64_t{1} << 22;
    } top_k;
};

struct FixedTuning {
    /// Cuts per column, on average, from which on columns are more than yes/no
    /// questions: one-hot columns have one cut each, and a few numbers among them do
    /// not make a table of thresholds. Such searches end later, so small depths get
    /// their turns earlier, and prices are sought however near the proof seems.
    static constexpr std::size_t many_cuts_per_column = 3;
    /// Depth and leaves of greedy trees at most, and sums of labels that they need.
    static constexpr std::uint32_t most_greedy_depth = 12;
    static constexpr std::size_t most_greedy_leaves = 512;
    static constexpr std::size_t most_greedy_sums = std::size_t{1} << 20;
    /// Rows times columns of a Top-k node from which on threads share its candidates.
    static constexpr std::size_t least_shared_cells = std::size_t{1} << 12;
    /// Buckets that a Top-k node bounds together at first.
    static constexpr std::uint32_t buckets_at_once = 16;
    /// Runs of rows that it opens between two looks at the clock.
    static constexpr std::size_t runs_between_looks = 64;
    /// Labels up to which a bound looks at every corner of a box of sums.
    static constexpr std::uint32_t most_corner_labels = 4;
    /// Leaves of the greedy tree of the second engine, at most.
    static constexpr std::uint32_t most_first_leaves = 64;
    /// Reference trees that L10 tries, each the best under the one before.
    static constexpr int tangent_references = 6;
    /// Groups that L10 looks at before it looks ahead one step only.
    static constexpr std::uint64_t most_tangent_work = 50'000'000;
    /// Splits of a leaf that L9 compares others with, and how many others.
    static constexpr std::size_t similar_references = 4;
    static constexpr std::uint32_t most_similar_compared = 256;
    /// Points of a front that serves as a bound.
    static constexpr std::size_t most_bound_points = 64;
    /// Seconds between two looks at the whole queue of the second engine.
    static constexpr double report_interval = 0.05;
};

}  // namespace ostrya
