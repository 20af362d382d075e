/// The trees of one depth after another, by a solver of its own.
///
/// It may be paused at any time. What is proved of a depth is a fact for the next, and
/// its best tree says where to begin: the best tree of the next depth often has for its
/// first split one that this tree has somewhere, to which bounds would come late.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "search/solver.hpp"

namespace ostrya {

template <class Sum>
class DepthSearch {
public:
    explicit DepthSearch(const SearchContext& context);
    DepthSearch(const DepthSearch&) = delete;  // its context refers to its options

    /// A root of its own, since that of the other search is being parted; false if
    /// stopped.
    bool make_root(const Level<Sum>& other);
    Solver<Sum>& solver() { return *solver_; }

    /// Have `look` called between subproblems.
    void look_between(std::function<void()> look) {
        look_between_ = std::move(look);
        if (solver_) solver_->look_between(look_between_);
    }

    /// Have `look` called before any piece of work on a node.
    void look_in_scans(std::function<void()> look) {
        look_in_scans_ = std::move(look);
        if (solver_) solver_->scan.look_between(look_in_scans_);
    }

    /// Begin the next depth with what is known of all trees, unless it has begun;
    /// returns false if stopped.
    bool begin(const Level<Sum>& root, const Bracket& best);
    /// Have the next depth begin again.
    void begin_again() { begun_ = 0; }
    /// Free all but the root if it is much, until the next turn.
    void release_below_root() {
        if (solver_) solver_->branching.release_below(0);
    }
    /// Free the root if it is large: it is made again for the next turn, and the next
    /// depth then begins again.
    void release_large_root();

    /// Whether depth 2 is next, and a scan of pairs sees all of it.
    bool next_is_scan() const {
        return facts_.depths.proved() == 1 && options_.switches.pairs_close.is_on;
    }
    /// Scan pairs for the best tree of depth two; returns whether all were seen. The
    /// next scan passes over what this one has seen.
    bool scan_pairs(Cost budget, ScanEffort effort, Bracket& best);

    /// Search the trees of the next depth; returns whether the best of them is known.
    bool search(std::uint32_t most_leaves, Cost budget, Bracket& best);

    /// Whether the splits of the best tree are yet to be explored at the next depth.
    bool has_promising() const {
        return begun_ == facts_.depths.proved() + 1 && !promising_.empty();
    }

private:
    void start(const Level<Sum>& root, const Bracket& best);
    void find_promising(const Bracket& best);
    void explore_promising(Limits limits, Cost goal, Bracket& best);
    bool explore_next(Limits limits, Cost goal, Bracket& best);

    Options options_;
    SearchContext context_;
    StopSign& stop_;
    SharedFacts& facts_;
    std::function<void()> look_between_, look_in_scans_;
    std::unique_ptr<Solver<Sum>> solver_;
    std::uint32_t begun_ = 0;               // the depth that its root is searched to
    std::uint64_t work_ = 0;                // at this depth
    std::vector<std::uint32_t> promising_;  // splits of the root; the last comes first
};

}  // namespace ostrya
