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
/// candidate that no other is at (search/work_hints.hpp), and goes along with another
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
#include "top_k/width.hpp"

namespace ostrya {

template <class Nodes>
class TopKSolver {
public:
    using Level = TopKLevel<Nodes>;
    using Look = std::function<void(Bracket&)>;

    /// The options have a Top-k.
    TopKSolver(const SearchContext& context, const typename Nodes::Table& table);

    void build_root() { nodes_.build_root(branching_.level_at(0).node); }

    Width& width() { return width_; }
    /// Whether the root has more splits than it may use, if it is not settled by what
    /// is known of it.
    bool root_leaves_out(Limits limits, Bracket known);

    /// Have `look` called between the candidates of the root.
    void look_between(Look look) { look_between_ = std::move(look); }

    /// Find a tree of cost below `budget`, or prove that there is none, for the node at
    /// a level.
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);

    // The steps of a search, for whoever looks at its trees again:

    /// List the candidates of the node at a level; true if others were left out.
    bool choose(std::size_t depth) {
        const bool leaves_out = branching_.level_at(depth).choose(width_.at(depth));
        width_.note(leaves_out);
        return leaves_out;
    }
    void part(std::size_t depth, std::uint32_t split);
    /// A child of the level's partition, from the memo or by solving it.
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);

    Branching<Level>& branching() { return branching_; }

private:
    // One node.
    std::uint32_t try_leaf(std::size_t depth, Limits limits, Cost budget,
                           Bracket& best);
    Cost try_candidates(std::size_t depth, std::uint32_t reach, Limits limits,
                        Cost budget, Bracket& best);
    Cost try_splits(std::size_t depth, std::uint32_t reach, Limits limits, Cost budget,
                    Bracket& best);

    // One candidate, and both of its children.
    std::optional<Cost> try_split(std::size_t depth, std::uint32_t split, bool shares,
                                  Limits limits, Cost budget, Bracket& best);
    Cost explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);
    Cost share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);

    const Problem& problem_;
    StopSign& stop_;
    Width width_;
    Nodes nodes_;
    WorkHints* hints_;  // none where there is one thread
    Branching<Level> branching_;
    LastLevels<Nodes> last_levels_;
    Look look_between_;
};

}  // namespace ostrya
