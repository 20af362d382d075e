/// Exact search: depth-first branch and bound with budgets, a memo, and bounds carried
/// along columns.
///
/// `solve` is asked for a tree cheaper than a budget, or a proof that there is none. At
/// a node: the leaf, the scan of single splits, the scan of pairs, then the children of
/// the splits whose lower bound is below the best known cost, in order of that bound.
/// Dynamic programming over row sets: Lin et al. 2020 (ICML), section 4.1; budgets and
/// pair scans as in Demirovic et al. 2022 (JMLR, "MurTree"); intervals of cuts as in
/// Brita et al. 2025 (AAAI, "ConTree").
///
/// The root has its own search (root_search.hpp), made of the same steps.
#pragma once

#include <cstdint>
#include <functional>

#include "search/branching.hpp"
#include "search/options.hpp"
#include "search/pair_scan.hpp"
#include "search/price_seeker.hpp"
#include "search/split_choice.hpp"
#include "search/split_sharing.hpp"
#include "search/task_log.hpp"

namespace ostrya {

/// What counting leaves says before pairs are scanned (B1): trees with more than
/// `most_leaves` cost at least `beyond`, which is no better than the goal.
struct LeafCount {
    std::uint32_t most_leaves = Limits::unlimited;
    Cost beyond = unreachable;
};

template <class Sum>
class Solver {
    using LevelT = Level<Sum>;

public:
    explicit Solver(const SearchContext& context);

    /// Build a root of one's own, and scan its single splits; false if stopped.
    template <class IsStopped>
    bool make_root(const IsStopped& is_stopped) {
        LevelT& root = branching.level_at(0);
        if (!builder.build_root(root.node, is_stopped)) return false;
        Bracket seen;
        scan.scan_singles(root, seen);
        return true;
    }

    /// Find a tree of cost below `budget`, or prove that there is none, for the node at
    /// a level below the root.
    Bracket solve(std::size_t depth, Limits limits, Cost budget, Bracket known);

    // The steps of a search; each of the first three says whether the node is settled.

    /// The node as one leaf; settled where no split is allowed or can pay (B2).
    bool try_leaf(std::size_t depth, Limits limits, Cost budget, Bracket& best);
    /// Single splits, and what neighbours proved of them.
    bool scan_singles(std::size_t depth, Limits limits, Cost budget, Bracket& best,
                      LeafCount& count);
    /// Pairs of splits: every tree of depth two, and bounds of all others.
    bool scan_pairs(std::size_t depth, Limits limits, Cost budget,
                    const LeafCount& count, BestPair& found, Bracket& best);
    /// Look for a tree with this first split that costs less than `cap`, or raise the
    /// split's lower bound to `cap`.
    void explore(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                 Bracket& best);

    /// A child of the level's partition, from the memo or by solving it.
    Bracket child(std::size_t depth, std::uint32_t split, bool yes, Limits limits,
                  Cost budget);

    /// Where depth two is the end and pairs are cheap, pairs are scanned whatever the
    /// budget: else the scan would be repeated with each larger one.
    static Cost scan_budget(const Node<Sum>& node, Limits limits, Cost budget) {
        const bool is_cheap = node.histograms.empty() || node.uses_tables;
        return limits.reachable_depth() == 2 && is_cheap ? unreachable : budget;
    }

    /// Have `look` called before each subproblem below the root.
    void look_between(std::function<void()> look) { look_between_ = std::move(look); }

    /// Whether a node that is being searched is settled, with prices as they are now.
    bool prices_settle(std::size_t depth, Cost budget, Bracket& best) {
        if (price_bounds_.version() > 0) use_prices(depth, budget, best);
        return best.settles(budget);
    }

    // What it works with; whoever searches the root works with the same.

    const Switches switches;
    NodeBuilder<Sum> builder;
    Branching<LevelT> branching;
    PairScan<Sum> scan;
    PriceSeeker prices;
    SplitSharing<Sum> sharing;
    TaskLog tasks;

private:
    void use_prices(std::size_t depth, Cost budget, Bracket& best);
    void branch(std::size_t depth, Limits limits, Cost budget, Cost shallow,
                Bracket& best);
    void share_leaves(std::size_t depth, std::uint32_t split, Limits limits, Cost cap,
                      Bracket& best);
    void count_children(std::size_t depth, std::uint32_t split, Limits limits,
                        Cost cap);
    bool has_use_for_neighbours(const Node<Sum>& node, Limits limits) const;

    const Problem& problem_;
    const Tuning::Search& tuning_;
    StopSign& stop_;
    MemoryBudget& memory_;
    PriceBounds price_bounds_;
    std::function<void()> look_between_;
};

}  // namespace ostrya
