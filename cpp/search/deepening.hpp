/// Trees of small depth, searched beside all those that the root's limits allow.
///
/// The more trees are allowed, the later a search gets to the good ones, and those that
/// people want are shallow. So a long search stands still now and then, while all trees
/// of depth 3 are searched, then those of depth 4, and so on: at any time the tree is
/// as good as the best one of small depth that the time allowed, and one can say up to
/// which depth it is proved. Both share the memo; the search of small depths has a
/// solver of its own, so that the other one goes on where it stood. It also grows a
/// better tree of any depth there, once that takes little beside the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "search/solver.hpp"

namespace ostrya {

/// How far it has come, in counted work.
struct DeepeningAge {
    std::uint64_t work = 0;
    std::uint64_t next_turn = 0;
};

template <class Sum>
class Deepening {
public:
    Deepening(const Problem& problem, const Options& options, StopSign& stop,
              Progress& progress, MemoryBudget& memory, Facts& facts,
              Statistics& statistics);

    /// Before pairs are scanned for deeper trees, which takes long or does not see all
    /// of them: the best tree of depth two, unless that takes long itself.
    void scan_depth_two(const Level<Sum>& root, Cost budget, Bracket& best);

    /// Search depths below this one; none until it is said.
    void search_below(Limits limits, const Node<Sum>& root);

    /// What turns have taken, and when the next one is due.
    DeepeningAge age() const { return {own_work_, next_turn_}; }
    /// Go on as an earlier search would, with the next depth that is not proved; what
    /// is known of the root's splits is then taken from the root.
    void go_on_from(const DeepeningAge& age) {
        begun_ = 0;
        had_turn_ |= age.work > 0;
        own_work_ += age.work;
        next_turn_ = std::max(next_turn_, age.next_turn);
    }

    /// Have `look` called between subproblems.
    void look_between(std::function<void()> look) {
        look_between_ = std::move(look);
        if (solver_) solver_->look_between(look_between_);
    }

    /// Between subproblems: take a turn once the search has gone on for long enough
    /// since the last one. A better tree pauses the search, for less is then worth
    /// looking for; once all the effort that was asked for is spent, the search ends.
    void keep_pace(const Level<Sum>& root, Cost budget, Bracket& best);

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    bool is_on() const { return facts_.depths.proved + 1 < limits_.reachable_depth(); }
    /// Grow a tree by trial, if it is time for that. Go on with the trees of the next
    /// depth, for a share of the work that the search took so far. What is known of the
    /// splits of the root holds for them too.
    void take_turn(const Level<Sum>& root, Cost budget, Bracket& best);
    std::uint64_t work_left(const Bracket& best) const;
    bool may_take_turns(std::uint32_t depth, bool is_far) const;
    /// Whether half of what the best tree costs is not yet proved.
    bool proof_is_far(const Bracket& best) const;
    bool is_stuck(const Bracket& best) const;
    std::uint64_t effort_left() const;
    void grow_by_trial(Bracket& best);
    void go_deeper(const Level<Sum>& root, Cost budget, Bracket& best);
    bool make_root();
    void start(const Level<Sum>& root, const Bracket& best);
    bool search_depth(Cost budget, Bracket& best);
    void find_promising(const Bracket& best);
    void search_promising(Limits limits, Cost goal, Bracket& best);
    /// Whether depth 2 is next, and a scan of pairs sees all of it.
    bool next_is_scan() const {
        return facts_.depths.proved == 1 && options_.switches.pairs_close.is_on;
    }
    bool scan_pairs(Cost budget, ScanEffort effort, Bracket& best);

    const Problem& problem_;
    Options options_;
    StopSign& stop_;
    Progress& progress_;
    MemoryBudget& memory_;
    Facts& facts_;
    Statistics& statistics_;
    Limits limits_{0, 1};
    std::function<void()> look_between_;
    std::unique_ptr<Solver<Sum>> solver_;  // none until the first turn
    std::uint32_t begun_ = 0;              // the depth that its root is searched to
    std::vector<std::uint32_t> promising_;  // splits of the root, explored from the last
    bool had_turn_ = false;
    Cost last_lower_ = 0;  // proved of all trees at the last turn
    std::uint64_t own_work_ = 0;
    std::uint64_t work_at_depth_ = 0;
    std::uint64_t next_turn_;  // work of the search at which it is due
    std::uint64_t next_trial_ = never;
};

}  // namespace ostrya
