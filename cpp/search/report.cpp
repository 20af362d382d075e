/// What the search says of itself: memory and progress.
#include <algorithm>

#include "search/branching.hpp"
#include "search/solver.hpp"
#include "search/unfold.hpp"

namespace ostrya {
namespace {

/// Subproblems between two looks at the memory.
constexpr std::uint64_t memory_interval = 256;

}  // namespace

template <class Sum>
std::uint64_t Solver<Sum>::memory_now() const {
    std::uint64_t bytes = memo_.bytes() + pool_.bytes() + builder_.bytes() +
                          counter_.bytes() + narrow_tables_.bytes() +
                          wide_tables_.bytes() + narrow_losses_.bytes() +
                          wide_losses_.bytes() + narrow_siblings_.bytes() +
                          wide_siblings_.bytes() + problem_.n_groups * 24;
    for (const auto& level : levels_) {
        bytes += level->bytes() + level->children.bytes();
    }
    return bytes;
}

/// Forget what was learned of subproblems; it can be found again.
template <class Sum>
void Solver<Sum>::forget() {
    memo_.forget();
    for (const auto& level : levels_) level->children.clear();
}

/// Keep within the memory limit: forget first, stop if that is not enough.
template <class Sum>
void Solver<Sum>::watch_memory() {
    if (++since_memory_check_ % memory_interval != 0) return;
    const std::uint64_t bytes = memory_now();
    statistics_.peak_memory = std::max(statistics_.peak_memory, bytes);
    const std::uint64_t limit = options_.memory();
    if (bytes <= limit) return;
    forget();
    if (memory_now() > limit) stop_.memory_is_out();
}

/// Whether the memory limit leaves room for a child of the node at `depth`.
template <class Sum>
bool Solver<Sum>::make_room(std::size_t depth) {
    return make_room_below(
        levels_, depth, child_bytes(*levels_[depth]), options_.memory(),
        [this] { return memory_now(); }, [this] { forget(); });
}

template <class Sum>
void Solver<Sum>::publish(const Bracket& best) {
    const Cost base = problem_.grid.scale * problem_.base;
    const TracePoint point{stop_.seconds(),   std::min(best.lower, best.upper) + base,
                           best.upper + base, statistics_.subproblems,
                           memory_now(),      count_leaves(pool_, best.tree)};
    statistics_.peak_memory = std::max(statistics_.peak_memory, point.memory);
    progress_.publish(point);
}

template std::uint64_t Solver<std::int32_t>::memory_now() const;
template void Solver<std::int32_t>::watch_memory();
template bool Solver<std::int32_t>::make_room(std::size_t);
template bool Solver<std::int64_t>::make_room(std::size_t);
template void Solver<std::int32_t>::publish(const Bracket&);
template std::uint64_t Solver<std::int64_t>::memory_now() const;
template void Solver<std::int64_t>::watch_memory();
template void Solver<std::int64_t>::publish(const Bracket&);

}  // namespace ostrya
