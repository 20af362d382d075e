/// The tree of least loss for every number of leaves, by one search.
///
/// Sizes are searched from one leaf upwards. They share the rows, the memo and the
/// trees found: without a penalty a cost is a loss, so a lower bound proved for more
/// leaves holds for fewer, and a tree of few leaves is one of the trees with more (B8).
/// Each size begins with the tree of the size before, and looks for better ones only.
#pragma once

#include <vector>

#include "search/root_search.hpp"

namespace ostrya {

template <class Sum>
class FrontierSearch {
public:
    /// The problem has no penalty and a limit on leaves.
    FrontierSearch(const Problem& problem, const Options& options, StopSign& stop,
                   Progress& progress, MemoryBudget& memory);

    /// What is proved of one leaf, two leaves, and so on, as far as anything changes.
    std::vector<Result> run();

private:
    Bracket search_size(std::uint32_t n_leaves, Bracket known);
    void search_largest(const Bracket& known);
    void bracket_the_rest(Bracket known);
    void add(const Bracket& best);

    const Problem& problem_;
    StopSign& stop_;
    RootSearch<Sum> root_;
    std::vector<Result> sizes_;
    /// What is known of the largest size: no tree of any size loses less than its lower
    /// bound.
    Bracket largest_;
    bool has_largest_ = false;  // all that can be known of it
};

}  // namespace ostrya
