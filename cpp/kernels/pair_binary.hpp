/// Pairs of splits for two classes: a cell's loss is the smaller of its two gains.
///
/// Straight loops over second splits that compilers turn into vectors: subtractions,
/// minima, and compares for the floor. Included inside an anonymous namespace.

template <class Sum>
struct BinaryCells {
    Sum loss_yy, loss_yn, loss_ny, loss_nn;
    Sum potential_yy, potential_yn, potential_ny, potential_nn;
};

/// One first split, with all that does not change from one second split to the next
/// read once: what loops write might be anything that they read, for all that
/// compilers know.
template <class Sum>
class BinaryPairs {
public:
    explicit BinaryPairs(const PairRow<Sum>& row)
        : both0_(row.both),
          both1_(row.both + row.both_stride),
          second0_(row.second),
          second1_(row.second + row.second_stride),
          first0_(row.first[0]),
          first1_(row.first[1]),
          rest0_(row.total[0] - row.first[0]),
          rest1_(row.total[1] - row.first[1]) {}

    BinaryCells<Sum> cells(std::size_t j) const {
        const Sum yy0 = both0_[j], yy1 = both1_[j];
        const Sum yn0 = first0_ - yy0, yn1 = first1_ - yy1;
        const Sum ny0 = second0_[j] - yy0, ny1 = second1_[j] - yy1;
        const Sum nn0 = rest0_ - ny0, nn1 = rest1_ - ny1;
        return {least(yy0, yy1), least(yn0, yn1), least(ny0, ny1), least(nn0, nn1),
                yy0 + yy1,       yn0 + yn1,       ny0 + ny1,       nn0 + nn1};
    }

private:
    const Sum *both0_, *both1_, *second0_, *second1_;
    Sum first0_, first1_, rest0_, rest1_;
};

template <class Sum>
ChildBest<Sum> binary_pair_losses(const PairRow<Sum>& row) {
    const BinaryPairs<Sum> pairs(row);
    Sum yes = unreachable_loss<Sum>, no = unreachable_loss<Sum>;
    for (std::size_t j = 0; j < row.n; ++j) {
        const BinaryCells<Sum> cells = pairs.cells(j);
        yes = least(yes, cells.loss_yy + cells.loss_yn);
        no = least(no, cells.loss_ny + cells.loss_nn);
    }
    ChildBest<Sum> best;
    best.yes_two = yes;
    best.no_two = no;
    return best;
}

template <class Sum>
ChildBest<Sum> binary_pair_losses_both(const PairRow<Sum>& row,
                                       const ChildBestArrays<Sum>& arrays) {
    const BinaryPairs<Sum> pairs(row);
    const std::size_t n = row.n;
    Sum yes = unreachable_loss<Sum>, no = unreachable_loss<Sum>;
    Sum *second_yes = arrays.yes_two, *second_no = arrays.no_two;
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < n; ++j) {
        const BinaryCells<Sum> cells = pairs.cells(j);
        yes = least(yes, cells.loss_yy + cells.loss_yn);
        no = least(no, cells.loss_ny + cells.loss_nn);
        second_yes[j] = least(second_yes[j], cells.loss_yy + cells.loss_ny);
        second_no[j] = least(second_no[j], cells.loss_yn + cells.loss_nn);
    }
    ChildBest<Sum> best;
    best.yes_two = yes;
    best.no_two = no;
    return best;
}

template <class Sum>
void binary_distances(const PairRow<Sum>& row, Sum* __restrict out) {
    const Sum mine = row.first[0] + row.first[1], total = row.total[0] + row.total[1];
    for (std::size_t j = 0; j < row.n; ++j) {
        const Sum its = row.second[j] + row.second[row.second_stride + j];
        const Sum both = row.both[j] + row.both[row.both_stride + j];
        const Sum apart = mine + its - 2 * both;
        out[j] = least(apart, total - apart);
    }
}

/// Loss of two leaves, and the lighter of the two, or nothing if either is not worth
/// a leaf.
template <class Sum>
struct TwoLeaves {
    Sum two, cell;
};

template <class Sum>
inline TwoLeaves<Sum> two_leaves(Sum loss_a, Sum loss_b, Sum potential_a,
                                 Sum potential_b, Sum floor) {
    const bool is_worth = least(potential_a, potential_b) > floor;
    return {is_worth ? loss_a + loss_b : unreachable_loss<Sum>,
            is_worth ? least(loss_a, loss_b) : unreachable_loss<Sum>};
}

template <class Sum>
ChildBest<Sum> binary_pair_bounds(const PairRow<Sum>& row) {
    const BinaryPairs<Sum> pairs(row);
    const Sum floor = row.floor;
    Sum yes_two = unreachable_loss<Sum>, no_two = unreachable_loss<Sum>;
    Sum yes_cell = unreachable_loss<Sum>, no_cell = unreachable_loss<Sum>;
    for (std::size_t j = 0; j < row.n; ++j) {
        const BinaryCells<Sum> c = pairs.cells(j);
        const auto yes =
            two_leaves(c.loss_yy, c.loss_yn, c.potential_yy, c.potential_yn, floor);
        const auto no =
            two_leaves(c.loss_ny, c.loss_nn, c.potential_ny, c.potential_nn, floor);
        yes_two = least(yes_two, yes.two);
        yes_cell = least(yes_cell, yes.cell);
        no_two = least(no_two, no.two);
        no_cell = least(no_cell, no.cell);
    }
    return {yes_two, no_two, yes_cell, no_cell};
}

template <class Sum>
ChildBest<Sum> binary_pair_bounds_both(const PairRow<Sum>& row,
                                       const ChildBestArrays<Sum>& arrays) {
    const BinaryPairs<Sum> pairs(row);
    const std::size_t n = row.n;
    const Sum floor = row.floor;
    Sum yes_two = unreachable_loss<Sum>, no_two = unreachable_loss<Sum>;
    Sum yes_cell = unreachable_loss<Sum>, no_cell = unreachable_loss<Sum>;
    Sum *second_yes_two = arrays.yes_two, *second_yes_cell = arrays.yes_cell;
    Sum *second_no_two = arrays.no_two, *second_no_cell = arrays.no_cell;
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < n; ++j) {
        const BinaryCells<Sum> c = pairs.cells(j);
        const auto yes =
            two_leaves(c.loss_yy, c.loss_yn, c.potential_yy, c.potential_yn, floor);
        const auto no =
            two_leaves(c.loss_ny, c.loss_nn, c.potential_ny, c.potential_nn, floor);
        yes_two = least(yes_two, yes.two);
        yes_cell = least(yes_cell, yes.cell);
        no_two = least(no_two, no.two);
        no_cell = least(no_cell, no.cell);
        // The same cells with the roles of the two splits exchanged.
        const auto second_yes =
            two_leaves(c.loss_yy, c.loss_ny, c.potential_yy, c.potential_ny, floor);
        const auto second_no =
            two_leaves(c.loss_yn, c.loss_nn, c.potential_yn, c.potential_nn, floor);
        second_yes_two[j] = least(second_yes_two[j], second_yes.two);
        second_yes_cell[j] = least(second_yes_cell[j], second_yes.cell);
        second_no_two[j] = least(second_no_two[j], second_no.two);
        second_no_cell[j] = least(second_no_cell[j], second_no.cell);
    }
    return {yes_two, no_two, yes_cell, no_cell};
}
