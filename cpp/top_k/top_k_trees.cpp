#include "top_k/top_k_trees.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "search/lone_leaf.hpp"
#include "search/narrow_sums.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {
namespace {

/// The same tree in another pool.
Subtree copy_tree(const SubtreePool& from, std::uint32_t index, SubtreePool& to) {
    if (index == 0) return {};
    const SubtreePool::Parts parts = from.at(index);
    return Subtree::join(to, parts.split, copy_tree(from, parts.yes, to),
                         copy_tree(from, parts.no, to));
}

template <class Nodes>
class WideningTrees final : public TreeSource {
public:
    WideningTrees(const Problem& problem, const Tuning& tuning, MemoryBudget& memory)
        : problem_(problem), memory_(&memory), stop_(std::nullopt) {
        memory_.set_limit(memory.left() / tuning.incumbents.memory_part);
        options_.tuning = tuning;
        options_.top_k.emplace();
        options_.top_k->widths = {~std::uint32_t{0}};
        options_.top_k->criterion = SplitCriterion::gini;
    }

    bool improve(std::uint64_t nanoseconds, StopSign& stop, SubtreePool& pool,
                 Bracket& best) override {
        const std::uint64_t before = stop_.counted.nanoseconds();
        stop_.look_now_and_then([&] { heed(stop); });
        // The greedy trees are finished whatever the turn: before them there is nothing
        // to show.
        const std::uint64_t least =
            is_greedy() ? options_.tuning.incumbents.most_of_greedy : 0;
        stop_.pause_after({.nanoseconds = std::max(nanoseconds, least)});
        if (!solver_) start();
        bool has_wider = true;
        while (has_wider && !stop_.has_stopped()) {
            solve(best.upper);
            if (found_.upper < best.upper) {
                best.lower_to(found_.upper,
                              copy_tree(facts_->pool, found_.tree.index(), pool));
            }
            if (stop_.has_stopped()) break;
            has_wider = widen();
            if (is_greedy()) continue;
            const std::uint64_t done = stop_.counted.nanoseconds() - before;
            if (done >= nanoseconds) break;
            stop_.pause_after({.nanoseconds = nanoseconds - done});
        }
        stop_.go_on();
        // No word of it: what the other search does when does not depend on this one.
        stop.counted.add(0, stop_.counted.nanoseconds() - before);
        return has_wider && !stop_.reason();
    }

private:
    bool is_greedy() const { return width_ == 1; }

    /// End with the search that asked, or come back when it has to.
    void heed(StopSign& stop) {
        stop.is_up();
        if (stop.reason()) {
            stop_.interrupt();
        } else if (stop.has_stopped()) {
            stop_.pause();
        }
    }

    /// Have the greedy tree by the criterion that is set come next.
    void start() {
        if (!table_) {
            const std::size_t n_cells =
                problem_.n_groups * runs_of(problem_.splits).size();
            stop_.is_up_before(n_cells,
                               options_.tuning.incumbents.sorting_per_cell * n_cells);
            table_.emplace(problem_, stop_, memory_);
        }
        found_ = {};
        solver_.reset();
        facts_.emplace(memory_, Switch{true, 0});
        statistics_ = {};
        solver_ = std::make_unique<TopKSolver<Nodes>>(
            SearchContext{problem_, options_, stop_, progress_, memory_, *facts_,
                          statistics_},
            *table_);
        if (stop_.reason()) return;  // the table may be incomplete
        solver_->build_root();
        solver_->width().set(width_);
    }

    /// Search the trees of this width that cost less than `budget`, or go on with it:
    /// what was proved before is in the memo.
    void solve(Cost budget) {
        found_.lower = problem_.scale.penalty;
        found_ = solver_->solve(0, problem_.limits.without_idle_leaves(),
                                std::min(budget, found_.upper), found_);
    }

    /// Have wider searches come next; false where there are none.
    bool widen() {
        if (!solver_->width().has_left_out()) return false;
        if (options_.top_k->criterion == SplitCriterion::gini) {
            options_.top_k->criterion = SplitCriterion::entropy;
            start();
        } else {
            width_ *= 2;
            solver_->width().set(width_);
            facts_->memo.forget();
        }
        return true;
    }

    const Problem& problem_;
    MemoryBudget memory_;
    StopSign stop_;
    Progress progress_;  // nobody looks at it
    Options options_;
    Statistics statistics_;
    std::uint32_t width_ = 1;
    std::optional<typename Nodes::Table> table_;
    std::optional<SharedFacts> facts_;
    std::unique_ptr<TopKSolver<Nodes>> solver_;
    Bracket found_;
};

template <class Sum>
std::unique_ptr<TreeSource> widening_trees(bool by_rows, const Problem& problem,
                                           const Tuning& tuning, MemoryBudget& memory) {
    if (by_rows) {
        return std::make_unique<WideningTrees<RowNodes<Sum>>>(problem, tuning, memory);
    }
    return std::make_unique<WideningTrees<CutNodes<Sum>>>(problem, tuning, memory);
}

}  // namespace

bool TopKTrees::improve(std::uint64_t nanoseconds, StopSign& stop, SubtreePool& pool,
                        Bracket& best) {
    if (!search_) {
        // Impurities add up the gains of all labels, each at most the potential: in 32
        // bits where `fits_narrow_sums` has said so, else in 64.
        if (problem_.potential >
            std::numeric_limits<Weight>::max() / 2 / problem_.layout.n_labels) {
            return false;
        }
        const bool by_rows = suit_row_nodes(problem_);
        const std::uint64_t bytes =
            by_rows ? row_nodes_bytes(problem_) : root_bytes(problem_);
        if (bytes > memory_.left() / tuning_.incumbents.memory_part) return false;
        search_ =
            fits_narrow_sums(problem_)
                ? widening_trees<std::int32_t>(by_rows, problem_, tuning_, memory_)
                : widening_trees<std::int64_t>(by_rows, problem_, tuning_, memory_);
    }
    if (search_->improve(nanoseconds, stop, pool, best)) return true;
    search_.reset();  // for its memory
    return false;
}

}  // namespace ostrya
