/// Top-k search: exact over the trees whose every split is among the k best, by
/// impurity, of the node that it splits (Blanc et al. 2023 (NeurIPS), Lemma 3.2).
///
/// Depth-first branch and bound with budgets and a memo, as in the exact search. Which
/// splits a node may use depends on its rows alone, so what is proved of a row set
/// holds wherever it turns up; with a k for each level the memo keeps levels apart.
/// Bounds that speak of all trees hold here too (B1, B2, and the base); bounds that
/// carry trees from one row set to another (B4, B5) do not, and are not used.
///
/// The search is first run for k = 1, 2, 4, ...: a tree of a narrower search is a tree
/// of a wider one, so each gives the next its budget and the caller an early tree.
///
/// `Nodes` says how rows are held and the best splits found: with every cut counted
/// (CutNodes; the last two levels for all splits at once, without building nodes), or
/// by the rows alone (RowNodes), where columns have many cuts.
#pragma once

#include <memory>
#include <vector>

#include "search/bracket.hpp"
#include "search/memo.hpp"
#include "top_k/cut_nodes.hpp"
#include "top_k/row_nodes.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya {

template <class Nodes>
class TopKSolver {
    using Sum = typename Nodes::Sum;
    using Node = typename Nodes::Node;

public:
    TopKSolver(const Problem& problem, const Options& options, StopSign& stop,
               Progress& progress);

    Result run();

private:
    struct Level {
        Node node;
        typename Nodes::Parting parting;
        std::vector<std::uint32_t> candidates;

        std::size_t bytes() const { return node.bytes() + candidates.capacity() * 4; }
    };

    /// A child with one split at most: its cost as it is and, where a split pays,
    /// which.
    struct Stump {
        Cost leaf = unreachable;
        Cost two = unreachable;
        std::uint32_t split = none;

        Cost cost() const { return two < leaf ? two : leaf; }
    };

    // One node (top_k_solver.cpp).
    void widen(Limits limits, Bracket& best);
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);
    Cost try_candidates(std::size_t depth, std::uint32_t reach, Limits limits,
                        Cost budget, Bracket& best);
    Cost try_singles(const Level& level, Bracket& best);
    Cost try_splits(std::size_t depth, Limits limits, Cost budget, Bracket& best);

    // Both children of a candidate (children.cpp).
    Cost explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);
    Cost share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);

    // The last two levels, where pairs are counted (last_levels.cpp).
    Cost try_pairs(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    Cost try_pair(const Level& level, std::uint32_t split, Limits limits,
                  std::uint32_t k, Cost cap, Bracket& best);
    bool is_repeated(const Level& level, std::size_t place) const;
    Stump bound_stump(const Node& node, std::uint32_t split, bool yes, Sum two) const;
    void grow_stump(const Node& node, std::uint32_t split, bool yes, std::uint32_t k,
                    Stump& stump);

    Level& level_at(std::size_t depth);
    std::uint32_t width_at(std::size_t level) const;
    /// Loss of one side of a split, as a leaf.
    Weight side_loss(const Node& node, std::uint32_t split, bool yes) const;
    /// The least that any tree of such a side can cost.
    Cost side_lower(const Node& node, std::uint32_t split, bool yes) const;
    std::uint64_t memory_now() const;
    void watch_memory();
    void publish(const Bracket& best);

    const Problem& problem_;
    const Options& options_;
    const TopK& top_k_;
    bool is_uniform_;  // one k for all levels
    StopSign& stop_;
    Progress& progress_;
    SubtreePool pool_;
    Nodes nodes_;
    Memo memo_;
    std::vector<std::unique_ptr<Level>> levels_;
    Statistics statistics_;
    std::uint32_t widest_ = 1;      // no node takes more than this, for now
    bool has_left_out_ = false;     // some node had more splits than it may use
    std::uint64_t n_children_ = 0;  // since the memory was looked at
    std::vector<std::uint32_t> second_;
    std::vector<Sum> side_;  // slots x width: the no side of a pair row
    std::vector<Sum> side_total_, side_rest_;
};

}  // namespace ostrya
