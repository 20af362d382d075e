/// Searches for the tree of least cost under constraints on its paths and labels.
///
/// *Interactions*: the features of a path lie in one group. What may follow depends on
/// the features asked so far, so that a subproblem is a row set with a state
/// (interactions.hpp); otherwise the search is the branch and bound of a tree without
/// constraints.
///
/// *Directions*, for two labels: a row that rises in a feature of direction 1, and
/// changes in nothing else, never falls from label 1 to label 0; with -1 it never
/// rises. This holds for all possible rows, and leaves may be labelled against their
/// majority. Two leaves can only break it if the split at which their paths part asks
/// about that very feature: parted by another one, they differ in it. So below a split
/// on a feature without direction both children are independent. Below one with a
/// direction, both are solved by themselves first, a relaxation. If the two trees break
/// it, some point proves this: the tree on the low side gives it 1, the one on the high
/// side 0. In a tree that is allowed, one of the two gives it the other label, and the
/// search branches on which does. A subproblem is a row set with the labels that such
/// points must get. There are finitely many points, and each excludes the pair of trees
/// that it came from.
///
/// Lower bounds: h leaves cost h penalties (B1), pair scans (B6) and, with directions
/// alone, the least cost of a tree without constraints, with B4 and B5 between the cuts
/// of a column. These hold for all trees. Least costs under interactions obey B4 and B5
/// as well: a tree for more rows serves fewer, with fewer questions. Least costs under
/// directions do not, since a leaf without rows may be what keeps two others apart.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "constrained/interactions.hpp"
#include "constrained/subtrees.hpp"
#include "rashomon/least_costs.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"

namespace ostrya::constrained {

struct Constraints {
    std::vector<std::int8_t> directions;             // by feature: 1, -1 or 0
    std::vector<std::vector<std::uint32_t>> groups;  // of features; none: no limit
};

struct Outcome {
    Result result;
    Thresholds thresholds;              // of its tree
    std::vector<std::uint32_t> labels;  // of its nodes
};

/// The problem must be one that keeps every split by name (`request_to_count`). With an
/// effort, in nanoseconds, it ends after so much counted work with a proof for the
/// depth that it reached.
Outcome search(const Problem& problem, const Constraints& constraints, Cost lower,
               std::optional<std::uint64_t> effort, StopSign& stop, Progress& progress,
               MemoryBudget& memory);

/// A lone leaf, for a table that could not be prepared within the limits.
Outcome lone_leaf(const Problem& problem, const StopSign& stop);

/// The labels that points in the box of a subproblem must get: twice the number of a
/// point, plus its label; ascending.
using Demands = std::vector<std::uint32_t>;

/// True if a leaf that all these points reach may have the label.
bool allows_label(const Demands& demands, std::uint32_t label);

/// The points at which trees broke a direction, by number.
class Points {
public:
    /// The demand that a point gets a label.
    std::uint32_t demand(Point point, std::uint32_t label);
    /// The demands on one side of a cut.
    Demands beside(const Demands& demands, std::uint32_t column, std::uint32_t cut,
                   bool yes) const;
    /// The point that a demand is about.
    const Point& of(std::uint32_t demand) const { return points_[demand / 2]; }

private:
    std::vector<Point> points_;
    std::map<Point, std::uint32_t> numbers_;
};

/// A row set with what limits its trees besides.
struct Subproblem {
    RowHash rows;
    std::uint32_t depth = 0, leaves = 0;
    std::uint32_t state = 0;  // of `Interactions`
    Demands demands;

    bool operator==(const Subproblem&) const = default;
};

struct HashOfSubproblem {
    std::size_t operator()(const Subproblem& each) const {
        std::uint64_t hash = each.rows.low ^ each.rows.high * 0x9e3779b97f4a7c15u;
        hash += mix_bits(std::uint64_t{each.depth} << 32 | each.leaves) + each.state;
        for (const std::uint32_t demand : each.demands) hash = mix_bits(hash ^ demand);
        return hash;
    }
};

/// What is known of a subproblem.
struct Known {
    Cost lower = 0;
    bool is_exact = false;   // then `tree` costs that
    std::uint32_t tree = 0;  // of `Subtrees`
};

template <class Sum>
class Search {
public:
    Search(const Problem& problem, const Constraints& constraints, StopSign& stop,
           Progress& progress, MemoryBudget& memory);

    /// `lower` is a bound on the least cost of all trees, base included. Depths up to
    /// `most_depth` are searched one by one first.
    Outcome run(Cost lower, std::uint32_t most_depth);

private:
    using Child = rashomon::Child;
    using Level = rashomon::Level<Sum>;

    /// What limits the trees of a node besides its rows.
    struct Limits {
        std::uint32_t depth, leaves, state;
    };
    /// The least cost of a tree if it is within the budget, else a bound above it.
    struct Found {
        Cost cost = 0;
        std::uint32_t tree = 0;
    };
    /// A first question whose children are searched together.
    struct Join {
        std::uint32_t at, split, cut;
        Limits limits[2];  // of no and yes
        Demands demands[2];
    };

    void solve_rounds(const Limits& limits, Cost& lower);
    Found solve_root(const Limits& limits, Cost budget);
    Found solve_child(const Child& child, const Limits& limits, const Demands& demands,
                      Cost budget);
    Found solve(std::uint32_t at, const Limits& limits, const Demands& demands,
                Cost budget);
    void ask_once(std::uint32_t at, const Limits& limits, const Demands& demands,
                  Found& best);
    void bound_children(Level& level, const Limits& limits, Cost goal);
    Found join(Join& pair, Cost budget);
    Found join_sides(const Join& pair, Cost budget);
    Found solve_side(const Join& pair, bool yes, Cost budget);
    Cost lower_of(const Join& pair, bool yes) const;
    /// Cuts that part the rows as this split does, one of each kind that demands tell
    /// apart.
    void list_cuts(const Level& level, std::uint32_t split, const Demands& demands,
                   std::vector<std::uint32_t>& out) const;
    void set_leaf(const Level& level, const Demands& demands, Found& best);

    Cost cost(Weight loss, Cost leaves) const {
        return problem_.scale.cost(loss, leaves);
    }
    int direction(std::uint32_t column) const {
        const std::uint32_t feature = problem_.splits[column].feature;
        return feature < directions_.size() ? directions_[feature] : 0;
    }
    void note(const Found& found);
    Outcome outcome() const;

    using Entry = std::pair<const Subproblem, Known>;

    const Problem& problem_;
    StopSign& stop_;
    Progress& progress_;
    MemoryBudget& memory_;
    std::vector<std::int8_t> directions_;
    bool has_directions_ = false;
    Interactions interactions_;
    rashomon::LeastCosts<Sum, std::uint64_t> costs_;
    Subtrees trees_;
    std::unordered_map<Subproblem, Known, HashOfSubproblem, std::equal_to<Subproblem>,
                       Counted<Entry>>
        known_;
    Points points_;
    Box box_;  // of the node that is searched
    Found best_;
    Cost lower_ = 0;
    std::uint32_t proved_depth_ = 0;
    std::uint64_t n_hits_ = 0;
};

}  // namespace ostrya::constrained
