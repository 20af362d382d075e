/// Two columns counted against each other, for two classes, where only losses count.
///
/// Let d be what a set of rows gains by the one label less what it gains by the other,
/// and N its potential: as a leaf it loses (N - |d|) / 2. Parted into d and D - d it
/// loses (N - |d| - |D - d|) / 2, and |d| + |D - d| = max(|D|, |2d - D|). So of all
/// ways to part a set in two leaves only the largest and the least d matter, and a
/// table holds one number per cell. Included inside an anonymous namespace.

/// One outer cut against all inner ones; `both` has the rows that answer yes to both.
template <class Lane>
inline void widen_row(const Lane* __restrict both, const LossSums<Lane>& sums,
                      std::size_t outer, std::size_t width) {
    const Lane* __restrict second = sums.inner_upto;
    const LossExtremes<Lane>& inner = sums.inner;
    const Lane first = both[width - 1];
    Lane yes_most = sums.outer.yes_most[outer], yes_least = sums.outer.yes_least[outer];
    Lane no_most = sums.outer.no_most[outer], no_least = sums.outer.no_least[outer];
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t at = 0; at < width; ++at) {
        const Lane yes_yes = both[at];
        const Lane no_yes = static_cast<Lane>(second[at] - yes_yes);
        const Lane yes_no = static_cast<Lane>(first - yes_yes);
        yes_most = most(yes_most, yes_yes);
        yes_least = least(yes_least, yes_yes);
        no_most = most(no_most, no_yes);
        no_least = least(no_least, no_yes);
        inner.yes_most[at] = most(inner.yes_most[at], yes_yes);
        inner.yes_least[at] = least(inner.yes_least[at], yes_yes);
        inner.no_most[at] = most(inner.no_most[at], yes_no);
        inner.no_least[at] = least(inner.no_least[at], yes_no);
    }
    sums.outer.yes_most[outer] = yes_most;
    sums.outer.yes_least[outer] = yes_least;
    sums.outer.no_most[outer] = no_most;
    sums.outer.no_least[outer] = no_least;
}

template <class Lane>
inline void clear(Lane* cells, std::size_t n) {
    for (std::size_t at = 0; at < n; ++at) cells[at] = 0;
}

template <class Lane>
void scan_losses(const LossTable<Lane>& table, const LossSums<Lane>& sums) {
    clear(table.above, table.stride);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
        sum_row(table.cells + outer * table.stride, table.above, table.both,
                table.stride);
        widen_row(table.both, sums, outer, table.stride);
    }
}

/// The sums a table comes to, for the children of its node.
template <class Lane>
void sum_losses(const LossTable<Lane>& table, Lane* out) {
    clear(table.above, table.stride);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
        sum_row(table.cells + outer * table.stride, table.above,
                out + outer * table.stride, table.stride);
    }
}

/// Have the processor fetch what will be read some rows on: all tables of a node do not
/// fit its caches.
template <class Lane>
inline void fetch(const Lane* from, std::size_t n) {
    constexpr std::size_t line = 64 / sizeof(Lane);
    for (std::size_t at = 0; at < n; at += line) __builtin_prefetch(from + at);
}

template <bool for_part, bool for_rest, class Lane>
inline void scan_children_of(const LossTable<Lane>& table, const Lane* whole,
                             const LossSums<Lane>& part, const LossSums<Lane>& rest) {
    const std::size_t width = table.stride;
    Lane* __restrict both = table.both;
    clear(table.above, width);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer, whole += width) {
        if (for_rest) fetch(whole + 4 * width, width);
        sum_row(table.cells + outer * width, table.above, both, width);
        if (for_part) widen_row(both, part, outer, width);
        if (for_rest) {
            for (std::size_t at = 0; at < width; ++at) {
                both[at] = static_cast<Lane>(whole[at] - both[at]);
            }
            widen_row(both, rest, outer, width);
        }
    }
}

/// The table of one child, and the rest of its parent's for the other; a child without
/// sums is not asked for.
template <class Lane>
void scan_loss_children(const LossTable<Lane>& table, const Lane* whole,
                        const LossSums<Lane>* part, const LossSums<Lane>* rest) {
    if (part != nullptr && rest != nullptr) {
        scan_children_of<true, true>(table, whole, *part, *rest);
    } else if (part != nullptr) {
        scan_children_of<true, false>(table, whole, *part, *part);
    } else {
        scan_children_of<false, true>(table, whole, *rest, *rest);
    }
}
