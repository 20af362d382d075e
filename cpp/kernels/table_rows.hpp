/// Rows counted into a table of two columns, and running sums along its rows, by
/// vectors. Included inside an anonymous namespace.

template <class Cell>
void add_to_table(const TableRows<Cell>& rows, Cell* __restrict cells,
                  std::size_t stride) {
    for (std::size_t row = 0; row < rows.n; ++row) {
        Cell& cell = cells[rows.outer[row] * stride + rows.inner[row]];
        cell = static_cast<Cell>(cell + rows.weights[row]);
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
struct Lanes {
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
inline typename Lanes<Cell>::Cells running_sums(typename Lanes<Cell>::Cells cells) {
    if constexpr (by < Lanes<Cell>::n) {
        using Places = std::make_index_sequence<Lanes<Cell>::n>;
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
    using Cells = typename Lanes<Cell>::Cells;
    constexpr std::size_t step = Lanes<Cell>::n;
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
