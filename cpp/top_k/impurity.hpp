/// The impurity a split leaves: what ranks the splits of a node.
///
/// With class shares p of the mass of a side, the impurity of a side is
///     entropy       sum of -p log2 p
///     gini          sum of p (1 - p)
///     square root   sum of sqrt(p (1 - p)); for two classes 2 sqrt(p (1 - p)),
///                   Kearns and Mansour 1999
///     own           what the caller defines: concave, symmetric in the classes, 0 if
///                   all rows are of one class and at most about 1 (the bounds of
///                   `BestCuts` rest on this; the caller has checked it)
/// and a split leaves the mean of its two sides, weighted by their mass. Least left is
/// most gained, as all splits of a node start from the same impurity.
///
/// Scores are rounded to multiples of 2^-32, far above the rounding of floats: scores
/// that are equal in exact arithmetic are equal here, whatever the machine. Equal
/// counts give equal scores, and so do the same sides with their names exchanged.
#pragma once

#include <cstdint>
#include <limits>

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"

namespace ostrya {

/// Class masses of one side of many splits: label `c` of split `j` is at
/// [c * stride + j].
template <class Sum>
struct SideMasses {
    const Sum* masses;
    std::size_t stride;
    const Sum* total;  // both sides together, per label
    std::uint32_t n_labels;
    std::size_t n;
};

/// Worse than any split.
inline constexpr double no_score = std::numeric_limits<double>::infinity();

template <class Sum>
class Impurity {
public:
    Impurity(const TopK& top_k, const Problem& problem, MemoryBudget& memory);

    /// Fill `scores` with the impurity each split leaves, times 2^32; `no_score` where
    /// a side is empty.
    void score(const SideMasses<Sum>& side, Vector<double>& scores);

    /// What the yes side of each split scored last weighs.
    const Vector<double>& yes_masses() const { return yes_; }

    /// The impurity of one side by its class masses, times what it weighs; not rounded.
    double of_side(const Sum* masses, std::uint32_t n_labels);

    /// A score that no split reaches from below if its sides, each times what it
    /// weighs, come to `impurity` at least; `mass` is that of both.
    static double least_score(double impurity, double mass);

private:
    void entropy(const SideMasses<Sum>& side);
    template <class Part>
    void add_entropy(const SideMasses<Sum>& side, const Part& part_of);
    void gini(const SideMasses<Sum>& side);
    void square_root(const SideMasses<Sum>& side);
    void own(const SideMasses<Sum>& side);

    SplitCriterion criterion_;
    OwnImpurity own_;
    Vector<double> parts_;  // m log2 m, for masses m that a table can hold
    Vector<double> yes_, left_;
    Vector<double> shares_, impurities_;  // for `own_`
    double mass_ = 0;
};

}  // namespace ostrya
