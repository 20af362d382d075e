/// All pairs of one first split, each child cut in two: the losses themselves, where
/// trees are counted and the least one is not enough.
/// Included inside an anonymous namespace.

template <class Sum>
void two_leaves(const PairRow<Sum>& row, bool allows_equal, Sum* yes, Sum* no) {
    constexpr std::size_t block = 16;
    const bool is_binary = row.n_labels == 2 && !row.counts_rows;
    // Cells: yes-yes, yes-no, no-yes, no-no.
    Sum gain[4][block], label[4][block], potential[4][block], its[4][block];
    for (std::size_t from = 0; from < row.n; from += block) {
        const auto read = [&](std::uint32_t slot, Sum(&to)[4][block]) {
            const Sum* both = row.both + slot * row.both_stride + from;
            const Sum* second = row.second + slot * row.second_stride + from;
            const Sum first = row.first[slot], rest = row.total[slot] - first;
            for (std::size_t j = 0; j < block; ++j) {
                to[0][j] = both[j];
                to[1][j] = first - both[j];
                to[2][j] = second[j] - both[j];
                to[3][j] = rest - second[j] + both[j];
            }
        };
        read(0, gain);
        for (auto& cell : label) {
            for (Sum& each : cell) each = 0;
        }
        if (is_binary) {
            for (int cell = 0; cell < 4; ++cell) {
                for (std::size_t j = 0; j < block; ++j) {
                    potential[cell][j] = gain[cell][j];
                }
            }
        }
        for (std::uint32_t k = 1; k < row.n_labels; ++k) {
            read(k, its);
            for (int cell = 0; cell < 4; ++cell) {
                for (std::size_t j = 0; j < block; ++j) {
                    const bool is_better = its[cell][j] > gain[cell][j];
                    label[cell][j] = is_better ? static_cast<Sum>(k) : label[cell][j];
                    if (is_binary) potential[cell][j] += its[cell][j];
                    gain[cell][j] = is_better ? its[cell][j] : gain[cell][j];
                }
            }
        }
        if (!is_binary) read(row.n_labels, potential);
        for (int cell = 0; cell < 4; ++cell) {
            for (std::size_t j = 0; j < block; ++j) {
                gain[cell][j] = potential[cell][j] - gain[cell][j];  // now the loss
            }
        }
        Sum least_rows = 1;
        if (row.counts_rows) {
            read(row.n_labels + 1, potential);
            least_rows = row.min_count;
        } else if (row.mark_slot != 0) {
            read(row.mark_slot, its);
            for (int cell = 0; cell < 4; ++cell) {
                for (std::size_t j = 0; j < block; ++j) {
                    potential[cell][j] += its[cell][j];
                }
            }
        }
        for (int side = 0; side < 2; ++side) {
            const int a = 2 * side, b = a + 1;
            Sum* out = (side == 0 ? yes : no) + from;
            for (std::size_t j = 0; j < block; ++j) {
                const Sum fewest = least(potential[a][j], potential[b][j]);
                const Sum differing = (label[a][j] ^ label[b][j]) | Sum{allows_equal};
                const bool is_leaf = (fewest >= least_rows) & (differing != 0);
                out[j] = is_leaf ? gain[a][j] + gain[b][j] : unreachable_loss<Sum>;
            }
        }
    }
}
