/// Histogram cells in blocks of sixteen, for two classes.
///
/// Of a long column only few cuts can be the best second split. Sums at the ends of
/// blocks bound all cuts inside: the rows before the block are part of the one leaf,
/// the rows behind it of the other (B4). Included inside an anonymous namespace.

/// Sum the cells of each block; cells hold both slots side by side.
template <class Sum>
void sum_blocks(const Sum* cells, std::size_t n_blocks, Sum* out) {
    for (std::size_t block = 0; block < n_blocks; ++block) {
        const Sum* from = cells + block * 2 * cells_per_block;
        Sum sums[8] = {};
        for (std::size_t at = 0; at < 2 * cells_per_block; at += 8) {
            for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += from[at + lane];
        }
        out[2 * block] = sums[0] + sums[2] + sums[4] + sums[6];
        out[2 * block + 1] = sums[1] + sums[3] + sums[5] + sums[7];
    }
}

/// Mark the blocks in which a cut may beat the best known loss of either child.
template <class Sum>
void mark_blocks(const BlockRow<Sum>& row, const ChildBest<Sum>& best,
                 std::uint8_t* __restrict open) {
    for (std::size_t k = 0; k < row.n; ++k) {
        const Sum before0 = row.before[k], before1 = row.before[row.stride + k];
        const Sum after0 = row.after[k], after1 = row.after[row.stride + k];
        const Sum yes = least(before0, before1) +
                        least(row.first[0] - after0, row.first[1] - after1);
        const Sum rest0 = row.total[0] - row.first[0],
                  rest1 = row.total[1] - row.first[1];
        const Sum no = least(row.second_before[k] - before0,
                             row.second_before[row.stride + k] - before1) +
                       least(rest0 - row.second_after[k] + after0,
                             rest1 - row.second_after[row.stride + k] + after1);
        open[k] = (yes < best.yes_two) | (no < best.no_two);
    }
}
