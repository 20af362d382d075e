#include "top_k/top_k_trees.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "search/lone_leaf.hpp"
#include "search/narrow_sums.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {
namespace {

/// The greedy trees are finished within this time whatever the turn, about a second:
/// before them there is nothing to show.
constexpr std::uint64_t most_of_greedy = std::uint64_t{1} << 30;
/// The part of the memory left that the searches may hold.
constexpr std::uint64_t parts_of_memory = 8;

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
    WideningTrees(const Problem& problem, MemoryBudget& memory)
        : problem_(problem), memory_(&memory), stop_(std::nullopt) {
        memory_.set_limit(memory.left() / parts_of_memory);
        top_k_.widths = {~std::uint32_t{0}};
        top_k_.criterion = SplitCriterion::gini;
    }

    bool improve(std::uint64_t nanoseconds, StopSign& stop, SubtreePool& pool,
                 Bracket& best) override {
        const std::uint64_t before = stop_.counted.nanoseconds();
        stop_.look_now_and_then([&] { heed(stop); });
        stop_.pause_after({.nanoseconds = is_greedy()
                                              ? std::max(nanoseconds, most_of_greedy)
                                              : nanoseconds});
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
            stop_.is_up_before(n_cells, nanoseconds_per_cell * n_cells);
            table_.emplace(problem_, stop_, memory_);
        }
        found_ = {};
        solver_.reset();
        facts_.emplace(memory_, Switch{true, 0});
        solver_ = std::make_unique<TopKSolver<Nodes>>(problem_, top_k_, *table_, stop_,
                                                      progress_, memory_, *facts_);
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
        if (top_k_.criterion == SplitCriterion::gini) {
            top_k_.criterion = SplitCriterion::entropy;
            start();
        } else {
            width_ *= 2;
            solver_->width().set(width_);
            facts_->memo.forget();
        }
        return true;
    }

    /// What sorting the rows by every column takes.
    static constexpr std::size_t nanoseconds_per_cell = 20;

    const Problem& problem_;
    MemoryBudget memory_;
    StopSign stop_;
    Progress progress_;  // nobody looks at it
    TopK top_k_;
    std::uint32_t width_ = 1;
    std::optional<typename Nodes::Table> table_;
    std::optional<Facts> facts_;
    std::unique_ptr<TopKSolver<Nodes>> solver_;
    Bracket found_;
};

template <class Sum>
std::unique_ptr<TreeSource> widening_trees(bool by_rows, const Problem& problem,
                                           MemoryBudget& memory) {
    if (by_rows) return std::make_unique<WideningTrees<RowNodes<Sum>>>(problem, memory);
    return std::make_unique<WideningTrees<CutNodes<Sum>>>(problem, memory);
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
        if (bytes > memory_.left() / parts_of_memory) return false;
        search_ = fits_narrow_sums(problem_)
                      ? widening_trees<std::int32_t>(by_rows, problem_, memory_)
                      : widening_trees<std::int64_t>(by_rows, problem_, memory_);
    }
    if (search_->improve(nanoseconds, stop, pool, best)) return true;
    search_.reset();  // for its memory
    return false;
}

}  // namespace ostrya
