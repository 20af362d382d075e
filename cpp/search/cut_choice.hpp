/// Which cuts of a histogram column are scanned next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/level.hpp"

namespace ostrya {

/// Keep `n` evenly spaced cuts, or all if there are fewer.
inline void thin_out(Vector<std::uint32_t>& cuts, std::size_t n) {
    if (cuts.size() <= n) return;
    const std::size_t step = (cuts.size() + n - 1) / n;
    std::size_t kept = 0;
    for (std::size_t at = step / 2; at < cuts.size(); at += step) {
        cuts[kept++] = cuts[at];
    }
    cuts.resize(kept);
}

/// Fill `cuts` with open cuts, ascending: all of them when a round costs more than
/// evaluating them, else evenly spaced ones. `speed` is how many cells of a row of
/// pairs are passed over for one that is looked at.
template <class Sum>
void choose_cuts(const Level<Sum>& level, const HistogramColumn& column, Cost goal,
                 std::size_t speed, Vector<std::uint32_t>& cuts) {
    const Node<Sum>& node = level.node;
    const std::uint32_t first = node.first_split(column);
    cuts.clear();
    for (std::uint32_t cut = 0; cut < column.n_cuts; ++cut) {
        if (level.losses.seen[first + cut] == Seen::single &&
            level.bounds.rest(first + cut) < goal) {
            cuts.push_back(cut);
        }
    }
    // A round adds every row to every histogram; a cut reads every cell.
    const std::size_t round = std::size_t{node.rows.n} * node.histograms.size();
    thin_out(cuts, std::max<std::size_t>(1, speed * round / (2 * node.splits.width)));
}

}  // namespace ostrya
