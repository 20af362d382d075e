/// Trees of small depth, searched beside all those that the root's limits allow.
///
/// The more trees are allowed, the later a search gets to the good ones, and those that
/// people want are shallow. So a long search stands still now and then, while all trees
/// of depth 3 are searched, then those of depth 4, and so on: at any time the tree is
/// as good as the best one of small depth that the time allowed, and one can say up to
/// which depth it is proved. Both share the memo; the search of small depths has a
/// solver of its own, so that the other one goes on where it stood.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "search/deepening_pace.hpp"
#include "search/depth_search.hpp"

namespace ostrya {

template <class Sum>
class Deepening {
public:
    explicit Deepening(const SearchContext& context);

    /// Before pairs are scanned for deeper trees, which takes long or does not see all
    /// of them: the best tree of depth two, unless that takes long itself.
    void scan_depth_two(const Level<Sum>& root, Cost budget, Bracket& best);

    /// Search depths below this one; none until it is said.
    void search_below(Limits limits, const Node<Sum>& root);

    /// What turns have taken, and when the next one is due.
    DeepeningAge age() const { return pace_.age(); }
    /// Go on as an earlier search would, with the next depth that is not proved; what
    /// is known of the root's splits is then taken from the root.
    void go_on_from(const DeepeningAge& age) {
        depths_.begin_again();
        pace_.go_on_from(age);
    }

    /// Have `look` called between subproblems.
    void look_between(std::function<void()> look) {
        depths_.look_between(std::move(look));
    }

    /// Before any piece of work: have the other source of trees take its turn, if it is
    /// due. Returns whether there is a better tree.
    bool find_trees(Bracket& best) {
        const bool is_better = trees_.keep_pace(best);
        has_new_tree_ |= is_better;
        return is_better;
    }
    /// Have `look` called before any piece of work on small depths.
    void look_in_scans(std::function<void()> look) {
        depths_.look_in_scans(std::move(look));
    }

    /// Between subproblems: take a turn once the search has gone on for long enough
    /// since the last one. A better tree, from wherever it comes, pauses the search,
    /// for less is then worth looking for.
    void keep_pace(const Level<Sum>& root, Cost budget, Bracket& best);

private:
    bool is_on() const {
        return facts_.depths.proved() + 1 < limits_.reachable_depth();
    }
    /// Go on with the trees of the next depth, for a share of the work that the search
    /// took so far. What is known of the splits of the root holds for them too.
    void go_deeper(const Level<Sum>& root, Cost budget, Bracket& best);

    const Problem& problem_;
    const Options& options_;
    StopSign& stop_;
    MemoryBudget& memory_;
    SharedFacts& facts_;
    TreeTurns trees_;
    DeepeningPace pace_;
    DepthSearch<Sum> depths_;
    Limits limits_{0, 1};
    bool has_new_tree_ = false;  // that the search does not know of yet
};

}  // namespace ostrya
