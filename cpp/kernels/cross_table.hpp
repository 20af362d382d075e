/// Two columns counted against each other, for two classes.
///
/// Every row is added once to the cell of its two values. Sums over all smaller values
/// give the yes-yes cell of every pair of cuts, and with it what is best below each cut
/// of either column. A cell of the table holds both classes side by side in one word,
/// so that a row is one addition. Included inside an anonymous namespace.

/// The yes-yes cells of the next outer cut: both classes, one after the other.
template <class Lane>
inline void next_row(const CrossTable<Lane>& table, std::size_t outer,
                     Lane* __restrict both) {
    const std::size_t width = table.stride;
    CrossCell<Lane>* __restrict sums = table.sums;
    sum_row(table.cells + outer * width, table.above, sums, width);
    for (std::size_t at = 0; at < width; ++at) {
        both[at] = static_cast<Lane>(sums[at]);
        both[width + at] = static_cast<Lane>(sums[at] >> 8 * sizeof(Lane));
    }
}

/// Least loss of a side that another cut parts in two, and of one of the two parts if
/// both weigh more than the floor.
template <class Lane>
struct SideBest {
    Lane two, cell;
    void lower(Lane first, Lane second, Lane first_weight, Lane second_weight,
               Lane floor) {
        const Lane lighter = least(first_weight, second_weight);
        const Lane none = static_cast<Lane>(-1);
        two = least(two, static_cast<Lane>(first + second));
        cell = least(cell, lighter > floor ? least(first, second) : none);
    }
};

/// One outer cut against all inner ones. The last yes-yes cell has all rows that answer
/// yes to the outer one.
template <class Lane>
inline void scan_row(const Lane* __restrict both, const CrossSums<Lane>& sums,
                     std::size_t outer, std::size_t width, Lane floor) {
    const Lane* __restrict both1 = both + width;
    const Lane* __restrict inner0 = sums.inner_upto;
    const Lane* __restrict inner1 = sums.inner_upto + width;
    const CrossBest<Lane>& inner = sums.inner;
    const Lane first0 = both[width - 1], first1 = both1[width - 1];
    const Lane rest0 = static_cast<Lane>(sums.total0 - first0);
    const Lane rest1 = static_cast<Lane>(sums.total1 - first1);
    using Best = SideBest<Lane>;
    Best yes{sums.outer.yes_two[outer], sums.outer.yes_cell[outer]};
    Best no{sums.outer.no_two[outer], sums.outer.no_cell[outer]};
    OSTRYA_INDEPENDENT_ITERATIONS
    for (std::size_t at = 0; at < width; ++at) {
        const Lane a0 = both[at], a1 = both1[at];
        const Lane b0 = static_cast<Lane>(first0 - a0);
        const Lane b1 = static_cast<Lane>(first1 - a1);
        const Lane c0 = static_cast<Lane>(inner0[at] - a0);
        const Lane c1 = static_cast<Lane>(inner1[at] - a1);
        const Lane d0 = static_cast<Lane>(rest0 - c0);
        const Lane d1 = static_cast<Lane>(rest1 - c1);
        const Lane a = least(a0, a1), b = least(b0, b1);
        const Lane c = least(c0, c1), d = least(d0, d1);
        const Lane wa = static_cast<Lane>(a0 + a1), wb = static_cast<Lane>(b0 + b1);
        const Lane wc = static_cast<Lane>(c0 + c1), wd = static_cast<Lane>(d0 + d1);
        yes.lower(a, b, wa, wb, floor);
        no.lower(c, d, wc, wd, floor);
        Best inner_yes{inner.yes_two[at], inner.yes_cell[at]};
        Best inner_no{inner.no_two[at], inner.no_cell[at]};
        inner_yes.lower(a, c, wa, wc, floor);
        inner_no.lower(b, d, wb, wd, floor);
        inner.yes_two[at] = inner_yes.two;
        inner.no_two[at] = inner_no.two;
        inner.yes_cell[at] = inner_yes.cell;
        inner.no_cell[at] = inner_no.cell;
    }
    sums.outer.yes_two[outer] = yes.two;
    sums.outer.no_two[outer] = no.two;
    sums.outer.yes_cell[outer] = yes.cell;
    sums.outer.no_cell[outer] = no.cell;
}

template <class Lane>
void scan_cross(const CrossTable<Lane>& table, const CrossSums<Lane>& sums,
                Lane floor) {
    for (std::size_t at = 0; at < table.stride; ++at) table.above[at] = 0;
    for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
        next_row(table, outer, table.both);
        scan_row(table.both, sums, outer, table.stride, floor);
    }
}
