/// Pairs of splits for a few labels, known to the compiler: a cell lives in registers
/// from its counts to its loss, and the loop over second splits becomes vectors.
/// Included inside an anonymous namespace.

/// The four cells of a pair: yes-yes, yes-no, no-yes, no-no.
template <class Sum>
struct FewLabelCells {
    Sum loss[4], potential[4], count[4];
};

template <std::uint32_t n_labels, bool counts_rows, class Sum>
struct FewLabels {
    static constexpr std::uint32_t n_slots = n_labels + 1 + (counts_rows ? 1 : 0);
    const Sum* both[n_slots];
    const Sum* second[n_slots];
    Sum first[n_slots], rest[n_slots];

    explicit FewLabels(const PairRow<Sum>& row) {
        for (std::uint32_t slot = 0; slot < n_slots; ++slot) {
            both[slot] = row.both + slot * row.both_stride;
            second[slot] = row.second + slot * row.second_stride;
            first[slot] = row.first[slot];
            rest[slot] = row.total[slot] - row.first[slot];
        }
    }

    void sums(std::uint32_t slot, std::size_t j, Sum (&cells)[4]) const {
        const Sum yes = both[slot][j], its = second[slot][j];
        cells[0] = yes;
        cells[1] = first[slot] - yes;
        cells[2] = its - yes;
        cells[3] = rest[slot] - its + yes;
    }

    FewLabelCells<Sum> cells(std::size_t j) const {
        FewLabelCells<Sum> out;
        Sum gain[4];
        sums(0, j, gain);
        for (std::uint32_t label = 1; label < n_labels; ++label) {
            Sum its[4];
            sums(label, j, its);
            for (int cell = 0; cell < 4; ++cell)
                gain[cell] = most(gain[cell], its[cell]);
        }
        sums(n_labels, j, out.potential);
        for (int cell = 0; cell < 4; ++cell) {
            out.loss[cell] = out.potential[cell] - gain[cell];
        }
        if constexpr (counts_rows) sums(n_labels + 1, j, out.count);
        return out;
    }
};

/// Cells `a` and `b` as two leaves: their loss, and the lighter of the two.
template <bool with_floor, bool counts_rows, class Sum>
inline TwoLeaves<Sum> few_label_leaves(const FewLabelCells<Sum>& cells, int a, int b,
                                       Sum floor, Sum min_count) {
    const Sum x = cells.loss[a], y = cells.loss[b];
    bool is_leaf = true;
    if constexpr (with_floor) {
        is_leaf &= least(cells.potential[a], cells.potential[b]) > floor;
    }
    if constexpr (counts_rows) {
        is_leaf &= least(cells.count[a], cells.count[b]) >= min_count;
    }
    return {is_leaf ? x + y : unreachable_loss<Sum>,
            is_leaf ? least(x, y) : unreachable_loss<Sum>};
}

template <class Sum>
inline void lower_both(ChildBest<Sum>& best, const TwoLeaves<Sum>& yes,
                       const TwoLeaves<Sum>& no) {
    best.yes_two = least(best.yes_two, yes.two);
    best.yes_cell = least(best.yes_cell, yes.cell);
    best.no_two = least(best.no_two, no.two);
    best.no_cell = least(best.no_cell, no.cell);
}

template <bool with_floor, std::uint32_t n_labels, bool counts_rows, class Sum>
ChildBest<Sum> few_label_pair(const PairRow<Sum>& row) {
    const FewLabels<n_labels, counts_rows, Sum> labels(row);
    const Sum floor = row.floor, min_count = row.min_count;
    const std::size_t n = row.n;
    ChildBest<Sum> best;
    for (std::size_t j = 0; j < n; ++j) {
        const FewLabelCells<Sum> cells = labels.cells(j);
        const auto leaves = [&](int a, int b) {
            return few_label_leaves<with_floor, counts_rows>(cells, a, b, floor,
                                                             min_count);
        };
        lower_both(best, leaves(0, 1), leaves(2, 3));
    }
    return best;
}

template <bool with_floor, std::uint32_t n_labels, bool counts_rows, class Sum>
ChildBest<Sum> few_label_pair_both(const PairRow<Sum>& row,
                                   const ChildBestArrays<Sum>& arrays) {
    const FewLabels<n_labels, counts_rows, Sum> labels(row);
    const Sum floor = row.floor, min_count = row.min_count;
    const std::size_t n = row.n;
    Sum *yes_two = arrays.yes_two, *yes_cell = arrays.yes_cell;
    Sum *no_two = arrays.no_two, *no_cell = arrays.no_cell;
    ChildBest<Sum> best;
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < n; ++j) {
        const FewLabelCells<Sum> cells = labels.cells(j);
        const auto leaves = [&](int a, int b) {
            return few_label_leaves<with_floor, counts_rows>(cells, a, b, floor,
                                                             min_count);
        };
        lower_both(best, leaves(0, 1), leaves(2, 3));
        const TwoLeaves<Sum> yes = leaves(0, 2), no = leaves(1, 3);
        yes_two[j] = least(yes_two[j], yes.two);
        yes_cell[j] = least(yes_cell[j], yes.cell);
        no_two[j] = least(no_two[j], no.two);
        no_cell[j] = least(no_cell[j], no.cell);
    }
    return best;
}
