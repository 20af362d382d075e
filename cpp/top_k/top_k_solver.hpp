/// Top-k search: exact over the trees whose every split is among the k best, by
/// impurity, of the node that it splits (Blanc et al. 2023 (NeurIPS), Lemma 3.2).
///
/// Depth-first branch and bound with budgets and a memo, as in the exact search. Which
/// splits a node may use depends on its rows alone, so what is proved of a row set
/// holds wherever it turns up; with a k for each level the memo keeps levels apart.
/// Bounds that speak of all trees hold here too (B1, B2, and the base); bounds that
/// carry trees from one row set to another (B4, B5) do not, and are not used.
///
/// `Nodes` says how rows are held and the best splits found: with every cut counted
/// (CutNodes; the last two levels for all splits at once, without building nodes), or
/// by the rows alone (RowNodes), where columns have many cuts.
///
/// Threads have a solver each, over one memo. At a large node each takes the first
/// candidate that no other is at (search/claims.hpp), and goes along with another
/// where there is none.
#pragma once

#include <functional>
#include <utility>

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

public:
    using Level = TopKLevel<Nodes>;

    TopKSolver(const Problem& problem, const TopK& top_k,
               const typename Nodes::Table& table, StopSign& stop, Progress& progress,
               MemoryBudget& memory, Facts& facts);

    void build_root() { nodes_.build_root(branching_.level_at(0).node); }

    /// Whatever k is, no node uses more splits than this from here on.
    void set_width(std::uint32_t width) {
        widest_ = width;
        has_left_out_ = false;
    }
    std::uint32_t width() const { return widest_; }
    /// Whether a node that was looked at since has more splits than it may use.
    bool has_left_out() const { return has_left_out_; }
    /// Whether the root has, if it is not settled by what is known of it.
    bool root_leaves_out(Limits limits, Bracket known);

    /// Have `look` called between the candidates of the root.
    void look_between(std::function<void(Bracket&)> look) {
        look_between_ = std::move(look);
    }

    /// Find a tree of cost below `budget`, or prove that there is none, for the node at
    /// a level.
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);

    // The steps of a search, for whoever looks at its trees again:

    /// List the candidates of the node at a level; true if others were left out.
    bool choose(std::size_t depth) {
        Level& level = branching_.level_at(depth);
        const bool leaves_out =
            nodes_.choose(level.node, width_at(depth), level.candidates);
        has_left_out_ |= leaves_out;
        return leaves_out;
    }
    void part(std::size_t depth, std::uint32_t split);
    void build_child(std::size_t depth, bool yes) {
        Level& level = branching_.level_at(depth);
        nodes_.build(level.node, level.partition, yes,
                     branching_.level_at(depth + 1).node);
    }
    /// A child of the level's partition, from the memo or by solving it.
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);
    /// Which child is solved first: the one that loses more, for it is the likelier to
    /// cost too much.
    bool is_yes_first(const Node& node, std::uint32_t split) const {
        return side_loss(node, nodes_.reader(), split, true) >=
               side_loss(node, nodes_.reader(), split, false);
    }
    /// The least that any tree of one side of a split can cost.
    Cost side_lower(const Node& node, std::uint32_t split, bool yes) const;
    /// What a node costs as one leaf.
    Cost leaf_cost(const Node& node) const {
        return problem_.scale.cost(nodes_.reader().loss(node.rows.total.data(), 1), 1);
    }

    Branching<Level>& branching() { return branching_; }

private:
    // One node.
    std::uint32_t try_leaf(std::size_t depth, Limits limits, Cost budget,
                           Bracket& best);
    Cost try_candidates(std::size_t depth, std::uint32_t reach, Limits limits,
                        Cost budget, Bracket& best);
    Cost try_singles(const Level& level, Bracket& best);
    Cost try_pairs(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    Cost try_splits(std::size_t depth, std::uint32_t reach, Limits limits, Cost budget,
                    Bracket& best);

    // One candidate, and both of its children.
    std::optional<Cost> try_split(std::size_t depth, std::uint32_t split, bool shares,
                                  Limits limits, Cost budget, Bracket& best);
    bool is_at_others(const Level& level) const;
    Cost explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);
    Cost share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);

    /// Tell of the cells that a scan of a node looks at, roughly.
    void count_scan(const Node& node) { stop_.is_up_before(n_cells(node)); }
    std::size_t n_cells(const Node& node) const {
        return std::size_t{node.rows.n} * problem_.splits.size();
    }

    std::uint32_t width_at(std::size_t level) const {
        return std::min(widest_, top_k_.width(level));
    }

    const Problem& problem_;
    const TopK& top_k_;
    StopSign& stop_;
    Nodes nodes_;
    Claims* claims_;  // none where there is one thread
    Statistics statistics_;
    Branching<Level> branching_;
    LastLevels<Nodes> last_levels_;
    std::uint32_t widest_ = 1;
    bool has_left_out_ = false;
    std::function<void(Bracket&)> look_between_;
};

}  // namespace ostrya
