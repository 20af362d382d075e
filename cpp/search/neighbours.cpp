#include "search/neighbours.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
void Neighbours<Sum>::clear() {
    kept_.clear();
}

/// Columns of a node in ascending order, each with its first cut.
template <class Sum>
void Neighbours<Sum>::list_columns(const Node<Sum>& node) {
    columns_.clear();
    for (std::uint32_t at = 0; at < node.bits.n; ++at) {
        if (node.splits.previous[at] == none) {
            columns_.push_back({node.splits.names[at].column, at});
        }
    }
    for (const HistogramColumn& column : node.histograms.columns) {
        columns_.push_back({column.column, node.first_split(column)});
    }
    std::sort(columns_.begin(), columns_.end());
}

template <class Sum>
void Neighbours<Sum>::keep(ChildPlace place, Limits limits, const Node<Sum>& child,
                           const SplitBounds& bounds, std::size_t most_bytes) {
    assert(bounds.cover_all_trees);
    Proved proved{place, limits, bounds.total_potential(), Vector<Entry>(memory_)};
    list_columns(child);
    for (const auto& [column, first] : columns_) {
        for (std::uint32_t at = first; at != none; at = child.splits.next[at]) {
            if (!bounds.is_proved(at)) continue;
            proved.entries.push_back({child.splits.names[at], bounds.of(at).yes,
                                      bounds.of(at).no, bounds.of(at).potential});
        }
    }
    proved.entries.shrink_to_fit();
    kept_.push_back(std::move(proved));
    while (memory_.used() > most_bytes && !kept_.empty()) kept_.pop_front();
}

template <class Sum>
auto Neighbours<Sum>::closest(ChildPlace place, Limits limits) const
    -> std::pair<const Proved*, const Proved*> {
    const Proved* smaller = nullptr;
    const Proved* larger = nullptr;
    for (const Proved& other : kept_) {
        const Split split = other.place.split;
        if (other.place.is_yes != place.is_yes || split.column != place.split.column ||
            !limits.within(other.limits)) {
            continue;
        }
        const bool is_smaller =
            place.is_yes ? split.cut <= place.split.cut : split.cut >= place.split.cut;
        if (is_smaller) {
            // Of several searches of the same child the last says most.
            if (!smaller || other.potential >= smaller->potential) smaller = &other;
        } else if (!larger || other.potential <= larger->potential) {
            larger = &other;
        }
    }
    return {smaller, larger};
}

/// Call `use` with every split that was proved something of and that the child has too.
template <class Sum>
template <class Use>
void Neighbours<Sum>::for_shared_splits(const Proved& proved, const Node<Sum>& child,
                                        const Use& use) const {
    auto column = columns_.begin();
    std::uint32_t at = column == columns_.end() ? none : column->second;
    for (const Entry& entry : proved.entries) {
        while (column != columns_.end() && column->first < entry.split.column) {
            ++column;
            at = column == columns_.end() ? none : column->second;
        }
        if (column == columns_.end()) return;
        if (column->first != entry.split.column) continue;
        while (child.splits.names[at].cut < entry.split.cut &&
               child.splits.next[at] != none) {
            at = child.splits.next[at];
        }
        if (child.splits.names[at].cut == entry.split.cut) use(at, entry);
    }
}

template <class Sum>
void Neighbours<Sum>::hand_down(ChildPlace place, Limits limits, const Node<Sum>& child,
                                SplitBounds& bounds) {
    const auto [smaller, larger] = closest(place, limits);
    if (!smaller && !larger) return;
    list_columns(child);
    if (smaller) {
        for_shared_splits(*smaller, child, [&](std::uint32_t at, const Entry& entry) {
            bounds.raise_both(at, bounds.transfer.to_more(entry.yes),
                              bounds.transfer.to_more(entry.no));
        });
    }
    if (larger) {
        const Weight fewer = larger->potential - bounds.total_potential();
        for_shared_splits(*larger, child, [&](std::uint32_t at, const Entry& entry) {
            const Weight fewer_yes = entry.yes_potential - bounds.of(at).potential;
            bounds.raise_both(at, bounds.transfer.to_fewer(entry.yes, fewer_yes),
                              bounds.transfer.to_fewer(entry.no, fewer - fewer_yes));
        });
    }
    for (const auto& [column, first] : columns_) bounds.carry_all(first);
}

template class Neighbours<std::int32_t>;
template class Neighbours<std::int64_t>;

}  // namespace ostrya
