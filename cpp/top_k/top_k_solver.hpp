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

#include "search/branching.hpp"
#include "search/options.hpp"
#include "top_k/cut_nodes.hpp"
#include "top_k/last_levels.hpp"
#include "top_k/row_nodes.hpp"
#include "top_k/top_k_level.hpp"

namespace ostrya {

template <class Nodes>
class TopKSolver {
    using Sum = typename Nodes::Sum;
    using Node = typename Nodes::Node;
    using Level = TopKLevel<Nodes>;

public:
    TopKSolver(const Problem& problem, const TopK& top_k, StopSign& stop,
               Progress& progress, MemoryBudget& memory);

    Result run();

private:
    // One node.
    void widen(Limits limits, Bracket& best);
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);
    Cost try_candidates(std::size_t depth, std::uint32_t reach, Limits limits,
                        Cost budget, Bracket& best);
    Cost try_singles(const Level& level, Bracket& best);
    Cost try_pairs(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    Cost try_splits(std::size_t depth, Limits limits, Cost budget, Bracket& best);

    // Both children of a candidate.
    Cost explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);
    Cost share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);

    /// Tell of the cells that a scan of a node looks at, roughly.
    void count_scan(const Node& node) {
        stop_.is_up_before(std::size_t{node.rows.n} * problem_.splits.size());
    }

    std::uint32_t width_at(std::size_t level) const {
        return std::min(widest_, top_k_.width(level));
    }
    /// The least that any tree of one side of a split can cost.
    Cost side_lower(const Node& node, std::uint32_t split, bool yes) const;

    const Problem& problem_;
    const TopK& top_k_;
    bool is_uniform_;  // one k for all levels
    StopSign& stop_;
    Nodes nodes_;
    Facts facts_;
    Statistics statistics_;
    Branching<Level> branching_;
    LastLevels<Nodes> last_levels_;
    std::uint32_t widest_ = 1;   // no node uses more than this, for now
    bool has_left_out_ = false;  // some node had more splits than it may use
};

}  // namespace ostrya
