/// Two columns counted against each other, for two classes.
///
/// Every row is added once to the cell of its two values. Sums over all smaller values
/// give the yes-yes cell of every pair of cuts, and with it what is best below each cut
/// of either column. A cell of the table holds both classes side by side in one word,
/// so that a row is one addition. Included inside an anonymous namespace.

template <class Lane>
void add_to_cross(const CrossRows<Lane>& rows, CrossCell<Lane>* __restrict cells,
                  std::size_t stride) {
    std::size_t row = 0;
    for (; row + 4 <= rows.n; row += 4) {
        const std::size_t a = rows.outer[row] * stride + rows.inner[row];
        const std::size_t b = rows.outer[row + 1] * stride + rows.inner[row + 1];
        const std::size_t c = rows.outer[row + 2] * stride + rows.inner[row + 2];
        const std::size_t d = rows.outer[row + 3] * stride + rows.inner[row + 3];
        cells[a] += rows.weights[row];
        cells[b] += rows.weights[row + 1];
        cells[c] += rows.weights[row + 2];
        cells[d] += rows.weights[row + 3];
    }
    for (; row < rows.n; ++row) {
        cells[rows.outer[row] * stride + rows.inner[row]] += rows.weights[row];
    }
}

#if defined(__GNUC__)
// As wide as the registers of the instruction set this is compiled for.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
template <class Cell>
struct Vector {
    typedef Cell Cells __attribute__((vector_size(vector_bytes)));
    static constexpr int n = vector_bytes / sizeof(Cell);
};

/// The vector moved up by `by` places, zeros coming in.
template <int by, class Cells, std::size_t... at>
inline Cells moved_up(Cells cells, std::index_sequence<at...>) {
    constexpr int n = sizeof...(at);
    return __builtin_shufflevector(
        Cells{}, cells,
        (static_cast<int>(at) < by ? 0 : n + static_cast<int>(at) - by)...);
}

/// Add to every place of a vector all places before it.
template <int by, class Cell>
inline typename Vector<Cell>::Cells running_sums(typename Vector<Cell>::Cells cells) {
    if constexpr (by < Vector<Cell>::n) {
        using Places = std::make_index_sequence<Vector<Cell>::n>;
        cells += moved_up<by>(cells, Places{});
        return running_sums<2 * by, Cell>(cells);
    } else {
        return cells;
    }
}

/// Add a row of the table to the sums of the rows before it, clear it, and sum along
/// it into `out`.
template <class Cell>
inline void sum_row(Cell* __restrict row, Cell* __restrict above, Cell* __restrict out,
                    std::size_t n) {
    using Cells = typename Vector<Cell>::Cells;
    constexpr std::size_t step = Vector<Cell>::n;
    Cells before{};
    for (std::size_t at = 0; at < n; at += step) {
        Cells here, sums;
        __builtin_memcpy(&here, row + at, sizeof(Cells));
        __builtin_memcpy(&sums, above + at, sizeof(Cells));
        sums += here;
        __builtin_memcpy(above + at, &sums, sizeof(Cells));
        const Cells zero{};
        __builtin_memcpy(row + at, &zero, sizeof(Cells));
        sums = running_sums<1, Cell>(sums) + before;
        __builtin_memcpy(out + at, &sums, sizeof(Cells));
        before = Cells{} + sums[step - 1];
    }
}
#else
template <class Cell>
inline void sum_row(Cell* row, Cell* above, Cell* out, std::size_t n) {
    Cell sum = 0;
    for (std::size_t at = 0; at < n; ++at) {
        above[at] += row[at];
        row[at] = 0;
        out[at] = sum += above[at];
    }
}
#endif

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
template <bool with_cells, class Lane>
struct SideBest {
    Lane two, cell;
    void lower(Lane first, Lane second, Lane first_weight, Lane second_weight,
               Lane floor) {
        two = least(two, static_cast<Lane>(first + second));
        if constexpr (with_cells) {
            const Lane lighter = least(first_weight, second_weight);
            const Lane none = static_cast<Lane>(-1);
            cell = least(cell, lighter > floor ? least(first, second) : none);
        }
    }
};

/// One outer cut against all inner ones. The last yes-yes cell has all rows that answer
/// yes to the outer one.
template <bool with_cells, class Lane>
inline void scan_row(const Lane* __restrict both, const CrossSums<Lane>& sums,
                     std::size_t outer, std::size_t width, Lane floor) {
    const Lane* __restrict both1 = both + width;
    const Lane* __restrict inner0 = sums.inner_upto;
    const Lane* __restrict inner1 = sums.inner_upto + width;
    const CrossBest<Lane>& inner = sums.inner;
    const Lane first0 = both[width - 1], first1 = both1[width - 1];
    const Lane rest0 = static_cast<Lane>(sums.total0 - first0);
    const Lane rest1 = static_cast<Lane>(sums.total1 - first1);
    using Best = SideBest<with_cells, Lane>;
    Best yes{sums.outer.yes_two[outer], sums.outer.yes_cell[outer]};
    Best no{sums.outer.no_two[outer], sums.outer.no_cell[outer]};
    OSTRYA_STANDS_APART
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
        Best inner_yes{inner.yes_two[at], with_cells ? inner.yes_cell[at] : Lane{}};
        Best inner_no{inner.no_two[at], with_cells ? inner.no_cell[at] : Lane{}};
        inner_yes.lower(a, c, wa, wc, floor);
        inner_no.lower(b, d, wb, wd, floor);
        inner.yes_two[at] = inner_yes.two;
        inner.no_two[at] = inner_no.two;
        if constexpr (with_cells) {
            inner.yes_cell[at] = inner_yes.cell;
            inner.no_cell[at] = inner_no.cell;
        }
    }
    sums.outer.yes_two[outer] = yes.two;
    sums.outer.no_two[outer] = no.two;
    sums.outer.yes_cell[outer] = yes.cell;
    sums.outer.no_cell[outer] = no.cell;
}

template <class Lane>
inline void clear_above(const CrossTable<Lane>& table) {
    for (std::size_t at = 0; at < table.stride; ++at) table.above[at] = 0;
}

template <bool with_cells, class Lane>
void scan_cross(const CrossTable<Lane>& table, const CrossSums<Lane>& sums,
                Lane floor) {
    clear_above(table);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
        next_row(table, outer, table.both);
        scan_row<with_cells>(table.both, sums, outer, table.stride, floor);
    }
}

/// The sums a table comes to, for the children of its node.
template <class Lane>
void sum_cross(const CrossTable<Lane>& table, Lane* out) {
    clear_above(table);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
        next_row(table, outer, out + outer * 2 * table.stride);
    }
}

template <bool for_part, bool for_rest, class Lane>
inline void scan_children_of(const CrossTable<Lane>& table, const Lane* whole,
                             const CrossSums<Lane>& part, const CrossSums<Lane>& rest) {
    const std::size_t width = table.stride;
    Lane* __restrict both = table.both;
    clear_above(table);
    for (std::size_t outer = 0; outer < table.n_outer; ++outer, whole += 2 * width) {
        if (for_rest) {
            for (std::size_t at = 0; at < 2 * width * sizeof(Lane); at += 64) {
                __builtin_prefetch(reinterpret_cast<const char*>(whole + 8 * width) + at);
            }
        }
        next_row(table, outer, both);
        if (for_part) scan_row<false>(both, part, outer, width, Lane{});
        if (for_rest) {
            for (std::size_t at = 0; at < 2 * width; ++at) {
                both[at] = static_cast<Lane>(whole[at] - both[at]);
            }
            scan_row<false>(both, rest, outer, width, Lane{});
        }
    }
}

/// The table of one child, and the rest of its parent's for the other; a child without
/// sums is not asked for.
template <class Lane>
void scan_cross_children(const CrossTable<Lane>& table, const Lane* whole,
                         const CrossSums<Lane>* part, const CrossSums<Lane>* rest) {
    if (part != nullptr && rest != nullptr) {
        scan_children_of<true, true>(table, whole, *part, *rest);
    } else if (part != nullptr) {
        scan_children_of<true, false>(table, whole, *part, *part);
    } else {
        scan_children_of<false, true>(table, whole, *rest, *rest);
    }
}
