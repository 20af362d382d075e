/// The tree of least loss for every number of leaves, by one search.
///
/// Sizes are searched one after another, upwards. They share the rows, the memo and the
/// trees found: a lower bound proved for more leaves holds for fewer, and a tree of few
/// leaves is one of the trees with more (B8). Each size looks only for trees that cost
/// less than all smaller ones.
///
/// With a penalty, bounds are stronger, but a tree that loses less may not be worth its
/// leaves: the sizes end with the first of which it is not known whether there is one.
/// Without a penalty that cannot be. See "Frontiers" in docs/explanation/bounds.md.
///
/// Where the depth allows no more leaves than the largest size has, that size is hardly
/// harder than others. Without a penalty it is searched once a leaf more has brought
/// nothing: when a tree is as good as the best of the largest size, so are all between.
#pragma once

#include <vector>

#include "search/root_search.hpp"

namespace ostrya {

template <class Sum>
class FrontierSearch {
public:
    explicit FrontierSearch(const SearchContext& context);

    /// What is proved of the sizes from the first on, as far as anything changes. The
    /// status is `upper_bound` where no tree costs less than all smaller ones.
    std::vector<Result> run(FirstSize first);

private:
    Bracket search_size(std::uint32_t n_leaves, Bracket known);
    void search_largest(const Bracket& known);
    void bracket_the_rest(std::uint32_t next, Bracket known);
    void add(const Bracket& best);

    const Problem& problem_;
    StopSign& stop_;
    Cost budget_;  // what a tree that is wanted costs less than
    RootSearch<Sum> root_;
    std::vector<Result> sizes_;
    /// What is known of the largest size: no tree of any size loses less than its lower
    /// bound.
    Bracket largest_;
    bool has_largest_ = false;  // all that can be known of it
};

}  // namespace ostrya
