/// Pairs of splits for any number of labels, with a row count where leaves need one;
/// the commonest cases are handed on to pair_few_labels.hpp.
///
/// A cell's loss is its potential minus its largest gain. Second splits are taken in
/// blocks so that the loops over labels stay inside a few vectors. Included inside an
/// anonymous namespace.

template <class Sum>
struct GeneralBlock {
    static constexpr std::size_t size = 32;
    Sum loss[4][size];  // yes-yes, yes-no, no-yes, no-no
    Sum potential[4][size];
    Sum count[4][size];
};

/// The four cells of slot `slot` for `n` second splits from `j` on.
template <class Sum>
inline void cells_of_slot(const PairRow<Sum>& row, std::uint32_t slot, std::size_t j,
                          std::size_t n, Sum (&cells)[4][GeneralBlock<Sum>::size]) {
    const Sum* both = row.both + slot * row.both_stride + j;
    const Sum* second = row.second + slot * row.second_stride + j;
    const Sum first = row.first[slot], rest = row.total[slot] - row.first[slot];
    for (std::size_t i = 0; i < n; ++i) {
        cells[0][i] = both[i];
        cells[1][i] = first - both[i];
        cells[2][i] = second[i] - both[i];
        cells[3][i] = rest - second[i] + both[i];
    }
}

template <class Sum>
void fill_block(const PairRow<Sum>& row, std::size_t j, std::size_t n,
                GeneralBlock<Sum>& block) {
    Sum gain[4][GeneralBlock<Sum>::size];
    cells_of_slot(row, 0, j, n, gain);
    Sum cells[4][GeneralBlock<Sum>::size];
    for (std::uint32_t label = 1; label < row.n_labels; ++label) {
        cells_of_slot(row, label, j, n, cells);
        for (int cell = 0; cell < 4; ++cell) {
            for (std::size_t i = 0; i < n; ++i) {
                gain[cell][i] = most(gain[cell][i], cells[cell][i]);
            }
        }
    }
    cells_of_slot(row, row.n_labels, j, n, block.potential);
    for (int cell = 0; cell < 4; ++cell) {
        for (std::size_t i = 0; i < n; ++i) {
            block.loss[cell][i] = block.potential[cell][i] - gain[cell][i];
        }
    }
    if (row.counts_rows) cells_of_slot(row, row.n_labels + 1, j, n, block.count);
}

/// Losses of cells `a` and `b` as two leaves, and the lighter of the two; nothing where
/// either has too few rows or, with a floor, is not worth a leaf.
template <class Sum>
struct LeafPairs {
    Sum two[GeneralBlock<Sum>::size];
    Sum cell[GeneralBlock<Sum>::size];
};

template <bool with_floor, class Sum>
inline void pair_leaves(const PairRow<Sum>& row, const GeneralBlock<Sum>& block, int a,
                        int b, std::size_t n, LeafPairs<Sum>& out) {
    for (std::size_t i = 0; i < n; ++i) {
        const Sum x = block.loss[a][i], y = block.loss[b][i];
        const Sum potential = least(block.potential[a][i], block.potential[b][i]);
        const bool is_worth = !with_floor | (potential > row.floor);
        out.two[i] = is_worth ? x + y : unreachable_loss<Sum>;
        out.cell[i] = is_worth ? least(x, y) : unreachable_loss<Sum>;
    }
    if (!row.counts_rows) return;
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_enough =
            least(block.count[a][i], block.count[b][i]) >= row.min_count;
        out.two[i] = is_enough ? out.two[i] : unreachable_loss<Sum>;
        out.cell[i] = is_enough ? out.cell[i] : unreachable_loss<Sum>;
    }
}

/// Lower the best of one child by a block of pairs.
template <class Sum>
inline void lower_child(const LeafPairs<Sum>& pairs, std::size_t n, Sum& two,
                        Sum& cell) {
    Sum least_two = two, least_cell = cell;
    for (std::size_t i = 0; i < n; ++i) {
        least_two = least(least_two, pairs.two[i]);
        least_cell = least(least_cell, pairs.cell[i]);
    }
    two = least_two;
    cell = least_cell;
}

/// Lower one child of each second split taken as the first.
template <class Sum>
inline void lower_children(const LeafPairs<Sum>& pairs, std::size_t n,
                           Sum* __restrict two, Sum* __restrict cell) {
    for (std::size_t i = 0; i < n; ++i) {
        two[i] = least(two[i], pairs.two[i]);
        cell[i] = least(cell[i], pairs.cell[i]);
    }
}

/// Lower both children of the first split by a block of second splits.
template <bool with_floor, class Sum>
inline void lower_first(const PairRow<Sum>& row, const GeneralBlock<Sum>& block,
                        std::size_t n, LeafPairs<Sum>& pairs, ChildBest<Sum>& best) {
    pair_leaves<with_floor>(row, block, 0, 1, n, pairs);
    lower_child(pairs, n, best.yes_two, best.yes_cell);
    pair_leaves<with_floor>(row, block, 2, 3, n, pairs);
    lower_child(pairs, n, best.no_two, best.no_cell);
}

template <bool with_floor, class Sum>
ChildBest<Sum> general_pair(const PairRow<Sum>& row) {
    const auto is = [&](std::uint32_t n_labels, bool counts_rows) {
        return row.n_labels == n_labels && row.counts_rows == counts_rows;
    };
    if (is(2, true)) return few_label_pair<with_floor, 2, true>(row);
    if (is(3, false)) return few_label_pair<with_floor, 3, false>(row);
    if (is(3, true)) return few_label_pair<with_floor, 3, true>(row);
    if (is(4, false)) return few_label_pair<with_floor, 4, false>(row);
    ChildBest<Sum> best;
    GeneralBlock<Sum> block;
    LeafPairs<Sum> pairs;
    for (std::size_t j = 0; j < row.n; j += GeneralBlock<Sum>::size) {
        const std::size_t n = least(GeneralBlock<Sum>::size, row.n - j);
        fill_block(row, j, n, block);
        lower_first<with_floor>(row, block, n, pairs, best);
    }
    return best;
}

template <class Sum>
void general_distances(const PairRow<Sum>& row, Sum* __restrict out) {
    const std::uint32_t slot = row.n_labels;
    const Sum mine = row.first[slot], total = row.total[slot];
    const Sum* second = row.second + slot * row.second_stride;
    const Sum* both = row.both + slot * row.both_stride;
    for (std::size_t j = 0; j < row.n; ++j) {
        const Sum apart = mine + second[j] - 2 * both[j];
        out[j] = least(apart, total - apart);
    }
}

template <bool with_floor, class Sum>
ChildBest<Sum> general_pair_both(const PairRow<Sum>& row,
                                 const ChildBestArrays<Sum>& arrays) {
    const auto is = [&](std::uint32_t n_labels, bool counts_rows) {
        return row.n_labels == n_labels && row.counts_rows == counts_rows;
    };
    if (is(2, true)) return few_label_pair_both<with_floor, 2, true>(row, arrays);
    if (is(3, false)) return few_label_pair_both<with_floor, 3, false>(row, arrays);
    if (is(3, true)) return few_label_pair_both<with_floor, 3, true>(row, arrays);
    if (is(4, false)) return few_label_pair_both<with_floor, 4, false>(row, arrays);
    ChildBest<Sum> best;
    GeneralBlock<Sum> block;
    LeafPairs<Sum> pairs;
    for (std::size_t j = 0; j < row.n; j += GeneralBlock<Sum>::size) {
        const std::size_t n = least(GeneralBlock<Sum>::size, row.n - j);
        fill_block(row, j, n, block);
        lower_first<with_floor>(row, block, n, pairs, best);
        pair_leaves<with_floor>(row, block, 0, 2, n, pairs);
        lower_children(pairs, n, arrays.yes_two + j, arrays.yes_cell + j);
        pair_leaves<with_floor>(row, block, 1, 3, n, pairs);
        lower_children(pairs, n, arrays.no_two + j, arrays.no_cell + j);
    }
    return best;
}
