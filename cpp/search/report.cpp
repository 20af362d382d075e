/// What the search says of itself: memory, progress, and the tree it found.
#include <algorithm>

#include "search/solver.hpp"

namespace ostrya {
namespace {

/// Subproblems between two looks at the memory.
constexpr std::uint64_t memory_interval = 256;

}  // namespace

template <class Sum>
std::uint64_t Solver<Sum>::memory_now() const {
    std::uint64_t bytes = memo_.bytes() + pool_.bytes() + builder_.bytes() +
                          counter_.bytes() + problem_.n_groups * 24;
    for (const auto& level : levels_) bytes += level->bytes();
    return bytes;
}

/// Keep within the memory limit: forget the memo first, stop if that is not enough.
template <class Sum>
void Solver<Sum>::watch_memory() {
    if (++since_memory_check_ % memory_interval != 0) return;
    const std::uint64_t bytes = memory_now();
    statistics_.peak_memory = std::max(statistics_.peak_memory, bytes);
    const std::uint64_t limit = options_.memory();
    if (bytes <= limit) return;
    memo_.forget();
    if (memory_now() > limit) stop_.memory_is_out();
}

/// Whether the memory limit leaves room for a level that was never reached before; it
/// takes no more than its parent.
template <class Sum>
bool Solver<Sum>::has_room_below(std::size_t depth) const {
    if (depth + 1 < levels_.size()) return true;
    return memory_now() + levels_[depth]->bytes() <= options_.memory();
}

template <class Sum>
void Solver<Sum>::publish(const Bracket& best) {
    const Cost base = problem_.grid.scale * problem_.base;
    const TracePoint point{stop_.seconds(),   std::min(best.lower, best.upper) + base,
                           best.upper + base, statistics_.subproblems,
                           memory_now(),      count_leaves(best.tree)};
    statistics_.peak_memory = std::max(statistics_.peak_memory, point.memory);
    const TracePoint last = progress_.latest();
    if (!progress_.is_empty() && last.lower == point.lower &&
        last.upper == point.upper) {
        return;
    }
    progress_.publish(point);
}

template <class Sum>
std::uint32_t Solver<Sum>::count_leaves(const Subtree& tree) const {
    std::uint32_t leaves = 0;
    std::vector<std::uint32_t> open{tree.index()};
    while (!open.empty()) {
        const std::uint32_t index = open.back();
        open.pop_back();
        if (index == 0) {
            ++leaves;
            continue;
        }
        open.push_back(pool_.at(index).yes);
        open.push_back(pool_.at(index).no);
    }
    return leaves;
}

template <class Sum>
FoundTree Solver<Sum>::unfold(const Subtree& tree) const {
    FoundTree out;
    struct Open {
        std::uint32_t index;
        std::uint32_t parent;
        bool is_yes;
    };
    std::vector<Open> open{{tree.index(), none, false}};
    while (!open.empty()) {
        const Open top = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(out.nodes.size());
        out.nodes.emplace_back();
        if (top.parent != none) {
            (top.is_yes ? out.nodes[top.parent].yes : out.nodes[top.parent].no) = at;
        }
        if (top.index == 0) continue;
        const SubtreePool::Node& node = pool_.at(top.index);
        const SplitColumn& column = problem_.splits[node.split.column];
        out.nodes[at].is_leaf = false;
        out.nodes[at].feature = column.feature;
        out.nodes[at].cut =
            problem_.values[column.feature][column.cuts[node.split.cut]];
        open.push_back({node.no, at, false});
        open.push_back({node.yes, at, true});
    }
    return out;
}

template std::uint64_t Solver<std::int32_t>::memory_now() const;
template void Solver<std::int32_t>::watch_memory();
template bool Solver<std::int32_t>::has_room_below(std::size_t) const;
template bool Solver<std::int64_t>::has_room_below(std::size_t) const;
template void Solver<std::int32_t>::publish(const Bracket&);
template std::uint32_t Solver<std::int32_t>::count_leaves(const Subtree&) const;
template FoundTree Solver<std::int32_t>::unfold(const Subtree&) const;
template std::uint64_t Solver<std::int64_t>::memory_now() const;
template void Solver<std::int64_t>::watch_memory();
template void Solver<std::int64_t>::publish(const Bracket&);
template std::uint32_t Solver<std::int64_t>::count_leaves(const Subtree&) const;
template FoundTree Solver<std::int64_t>::unfold(const Subtree&) const;

}  // namespace ostrya
