/// Losses of the two sides of a cut from differences of gains; see
/// kernels/loss_table.hpp for the argument.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "tables/table_set.hpp"

namespace ostrya {

/// Losses of the two sides of a cut: as leaves, and parted once more.
struct CutLosses {
    Weight yes, yes_two, no, no_two;
};

/// What a set loses as a leaf, by its potential and the difference of its gains.
inline Weight leaf_loss(Weight potential, Weight difference) {
    assert(std::abs(difference) <= potential);
    return (potential - std::abs(difference)) / 2;
}

/// What it loses parted in two, where the parts' differences lie between the extremes.
inline Weight two_leaf_loss(Weight potential, Weight difference, Weight most,
                            Weight least) {
    const Weight won =
        std::max({std::abs(difference), 2 * most - difference, difference - 2 * least});
    assert(won <= potential && (potential - won) % 2 == 0);
    return (potential - won) / 2;
}

/// Both sides of a cut; `yes` and `all` are the potentials of the rows up to the cut
/// and of all rows.
template <class Lane>
CutLosses cut_losses(const TableSet<Differences<Lane>>& set, const TableColumn& column,
                     std::uint32_t cut, Weight yes, Weight all) {
    const std::size_t at = column.first + cut, last = column.first + column.stride - 1;
    const Weight in = set.upto[at], out = Weight{set.upto[last]} - in;
    return {leaf_loss(yes, in),
            two_leaf_loss(yes, in, set.best[0][at], set.best[1][at]),
            leaf_loss(all - yes, out),
            two_leaf_loss(all - yes, out, set.best[2][at], set.best[3][at])};
}

}  // namespace ostrya
