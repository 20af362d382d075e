#include "search/split_sharing.hpp"

#include <algorithm>
#include <utility>

namespace ostrya {
namespace {

template <class List>
bool has(const List& list, std::uint32_t value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

/// First of the columns that no other thread is at: what it proves there may settle
/// more of the same column.
template <class Sum>
SplitChoice SplitSharing<Sum>::next_apart(
    Level<Sum>& level, Cost goal, const std::vector<std::uint32_t>& others) const {
    const auto column = [&](std::uint32_t split) {
        return level.node.splits.names[split].column;
    };
    std::vector<std::uint32_t> columns = others;
    for (const std::uint32_t split : level.deferred) columns.push_back(column(split));
    SplitChoice choice =
        choose_split(level, scale_, tuning_, goal,
                     [&](std::uint32_t split) { return has(columns, column(split)); });
    if (choice.split != none) return choice;
    choice = choose_split(level, scale_, tuning_, goal, [&](std::uint32_t split) {
        return has(level.deferred, split);
    });
    if (choice.split != none || level.deferred.empty()) return choice;
    level.deferred.clear();
    level.joins_others = true;
    return choose_split(level, scale_, tuning_, goal);
}

template <class Sum>
bool SplitSharing<Sum>::is_deferred(Level<Sum>& level, std::uint32_t split,
                                    Limits limits) const {
    const std::size_t work = level.node.work() * level.node.splits.width;
    if (limits.reachable_depth() < 3 || work < tuning_.least_shared_work) return false;
    if (!std::exchange(level.joins_others, false) &&
        (hints_->is_taken(level.partition.hash(true)) ||
         hints_->is_taken(level.partition.hash(false)))) {
        level.deferred.push_back(split);
        return true;
    }
    level.deferred.clear();
    return false;
}

template class SplitSharing<std::int32_t>;
template class SplitSharing<std::int64_t>;

}  // namespace ostrya
