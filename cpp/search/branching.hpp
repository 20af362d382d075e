/// What branch and bound is made of, whichever splits a node may use: levels, children,
/// leaves shared between them, memory, and what is told.
///
/// `Level` has a node, a partition of it, `bytes()`, `child_bytes()` and `forget()`.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/context.hpp"
#include "search/unfold.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Deeper than any tree people read. A level takes some 900 bytes of stack, and stacks
/// are small on Windows.
#if defined(_WIN32)
inline constexpr std::size_t most_search_levels = 1024;
#else
inline constexpr std::size_t most_search_levels = 2048;
#endif

/// Bytes that are worth freeing between two phases of a search. Making them again takes
/// about as long as touching them, some hundredths of a second.
inline constexpr std::uint64_t much_memory = std::uint64_t{64} << 20;

/// A child before it is looked at: which rows, which trees, and what is known at once.
struct Child {
    RowHash rows;
    Limits limits;
    Cost leaf = 0;   // its cost as one leaf
    Cost lower = 0;  // of all its trees
};

template <class Level>
class Branching {
public:
    using MakeLevel = std::function<std::unique_ptr<Level>()>;

    Branching(const SearchContext& context, MakeLevel make_level)
        : statistics(context.statistics),
          problem_(context.problem),
          stop_(context.stop),
          progress_(context.progress),
          memory_(context.memory),
          make_level_(std::move(make_level)),
          pool_(context.facts.pool),
          memo_(context.facts.memo),
          depths_(context.facts.depths),
          known_(context.facts.known),
          hints_(context.facts.hints.get()) {}

    SubtreePool& pool() { return pool_; }
    Memo& memo() { return memo_; }

    Level& level_at(std::size_t depth) {
        if (levels_.size() <= depth) add_levels(depth);
        return *levels_[depth];
    }

    /// A child's bracket, from the memo or from `search(level, known)`, which builds
    /// the node at the next level and solves it.
    template <class Search>
    Bracket child(std::size_t depth, const Child& child, Cost budget,
                  const Search& search) {
        Bracket known = memo_.find(child.rows, child.limits);
        known.lower = std::max(known.lower, child.lower);
        known.offer_leaf(child.leaf);
        if (known.settles(budget)) return known;
        if (depth + 1 >= most_search_levels ||
            !make_room(depth, level_at(depth).child_bytes())) {
            stop_.memory_is_out();
            return known;
        }
        const std::uint64_t before = statistics.subproblems;
        if (hints_ != nullptr) hints_->take(child.rows);
        Bracket found = search(level_at(depth + 1), std::move(known));
        assert(found.lower <= found.upper);
        memo_.store(child.rows, child.limits, found, statistics.subproblems - before);
        if (hints_ != nullptr) hints_->release(child.rows);
        watch_memory();
        return found;
    }

    /// Share the leaves of `limits` between two children in every way: the least that a
    /// tree with this split costs. `solve(is_yes, limits, budget)` solves a child, and
    /// no tree of the no side costs less than `no_lower`.
    template <class Solve>
    Cost share_leaves(Split split, Limits limits, Cost cap, Cost no_lower,
                      Bracket& best, const Solve& solve) {
        assert(limits.leaves >= 2);
        const std::uint32_t depth = limits.child().depth;
        Cost least = unreachable;
        for (std::uint32_t share = 1; share < limits.leaves && !stop_.is_up();
             ++share) {
            const Cost goal = std::min(cap, best.upper);
            const Bracket yes = solve(true, Limits{depth, share}, goal - no_lower);
            Cost lower = yes.lower + no_lower;
            if (lower < goal && !stop_.is_up()) {
                const Limits rest{depth, limits.leaves - share};
                const Bracket no = solve(false, rest, goal - yes.lower);
                lower = yes.lower + no.lower;
                join(split, yes, no, best);
            }
            least = std::min(least, lower);
        }
        return least;
    }

    /// Take the tree of both children, if it is cheaper.
    void join(Split split, const Bracket& yes, const Bracket& no, Bracket& best) {
        const Cost cost = yes.upper + no.upper;
        if (cost < best.upper) {
            best.lower_to(cost, Subtree::join(pool_, split, yes.tree, no.tree));
        }
    }

    std::uint32_t n_leaves(const Bracket& bracket) const {
        return count_leaves(pool_, bracket.tree);
    }

    /// Make sure that a level below `depth` that takes `wanted` bytes fits the limit.
    /// What deeper levels hold is of no use now, and what was learned can be forgotten.
    bool make_room(std::size_t depth, std::uint64_t wanted) {
        const std::size_t below = depth + 1;
        const std::uint64_t held = below < levels_.size() ? levels_[below]->bytes() : 0;
        if (wanted <= held || memory_.allows(wanted - held)) return true;
        if (levels_.size() > below) levels_.resize(below);
        if (memory_.allows(wanted)) return true;
        forget();
        return memory_.allows(wanted);
    }

    /// Free the levels below `depth` if they hold much; they are made again when they
    /// are needed. For a pause in which something else needs the memory.
    void release_below(std::size_t depth) {
        std::uint64_t held = 0;
        for (std::size_t at = depth + 1; at < levels_.size(); ++at) {
            held += levels_[at]->bytes();
        }
        if (held > much_memory) levels_.resize(depth + 1);
    }

    /// Tell whoever watches how far the search is.
    void publish(Bracket best) {
        // Whatever an earlier search proved of the root, this one has proved too.
        best.learn(known_);
        const Cost base = problem_.scale.factor * problem_.base;
        const Cost next_lower = std::max(depths_.reported_next_lower(), best.lower);
        progress_.publish({stop_.watch.seconds(),
                           std::min(best.lower, best.upper) + base, best.upper + base,
                           statistics.subproblems, memory_.used(), n_leaves(best),
                           depths_.reported(), std::min(next_lower, best.upper) + base,
                           stop_.counted.all(), stop_.counted.nanoseconds()});
    }

    /// The result of a search that ended with this bracket of the root.
    Result conclude(Bracket best, Status proved) {
        best.learn(known_);
        assert(best.lower <= best.upper);
        publish(best);
        const Cost base = problem_.scale.factor * problem_.base;
        Result result;
        result.tree = unfold(pool_, best.tree, problem_);
        result.lower = best.lower + base;
        result.upper = best.upper + base;
        result.status =
            best.is_solved() ? proved : stop_.reason().value_or(Status::memory_limit);
        result.proved_depth = depths_.reported();
        result.statistics = statistics;
        result.statistics.work = stop_.counted.all();
        result.statistics.nanoseconds = stop_.counted.nanoseconds();
        result.statistics.seconds = stop_.watch.seconds();
        result.statistics.peak_memory = memory_.peak();
        result.statistics.memo_entries = memo_.size();
        result.statistics.memo_hits = memo_.hits();
        result.statistics.n_groups = problem_.n_groups;
        result.statistics.n_columns = problem_.splits.size();
        result.statistics.n_thresholds = problem_.n_cuts();
        return result;
    }

    Statistics& statistics;

private:
    /// Apart, so that `level_at` is a test and a look-up where it is called.
    [[gnu::noinline]] void add_levels(std::size_t depth) {
        while (levels_.size() <= depth) levels_.push_back(make_level_());
    }

    /// Forget what was learned of subproblems; it can be found again.
    void forget() {
        memo_.forget();
        for (const auto& level : levels_) level->forget();
    }

    /// Keep within the memory limit: forget first, stop if that is not enough.
    void watch_memory() {
        if (!memory_.is_exceeded()) return;
        forget();
        if (memory_.is_exceeded()) stop_.memory_is_out();
    }

    const Problem& problem_;
    StopSign& stop_;
    Progress& progress_;
    MemoryBudget& memory_;
    MakeLevel make_level_;
    SubtreePool& pool_;
    Memo& memo_;
    const ProvedDepths& depths_;
    const Bracket& known_;
    WorkHints* hints_;
    std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace ostrya
