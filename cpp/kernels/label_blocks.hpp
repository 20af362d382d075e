/// Blocks of histogram cells for any number of labels.
///
/// Rows lose what their potential exceeds the gain of the best label by. Let g(S) be
/// that gain. It never shrinks as rows are added, and each row adds at most what it
/// gains by all labels together. With b and e for the rows up to the start and to the
/// end of a block, c for those up to a cut inside, and F for all rows of the child,
///     g(c) + g(F - c) <= g(e) + g(F - b)                         (B4)
///     g(c) + g(F - c) <= g(b) + g(F - e) + gains of the block    (B5).
/// Included inside an anonymous namespace.

/// `some` lanes are known to the compiler; 0 stands for any multiple of 16.
template <std::size_t some, class Sum>
void gain_lanes(const LabelRow<Sum>& row, const LabelGains<Sum>& out) {
    constexpr std::size_t n = some == 0 ? 16 : some;
    const std::size_t lanes = some == 0 ? row.lanes : some;
    for (std::size_t from = 0; from < lanes; from += n) {
        Sum both[n] = {}, first[n], rest[n];
        Sum last_no = 0;
        for (std::size_t lane = 0; lane < n; ++lane) {
            first[lane] = row.first[from + lane];
            rest[lane] = row.total[from + lane] - first[lane];
        }
        for (std::size_t at = 0; at < row.n; ++at) {
            const Sum* __restrict blocks = row.blocks + at * lanes + from;
            const Sum* __restrict upto = row.upto + at * lanes + from;
            Sum* __restrict to = out.both + at * lanes + from;
            Sum yes_upto = 0, yes_beyond = 0, no_upto = 0, no_beyond = 0;
            Sum yes_block = 0, no_block = 0;
            for (std::size_t lane = 0; lane < n; ++lane) {
                const Sum yes = both[lane] + blocks[lane], no = upto[lane] - yes;
                yes_block += blocks[lane];
                no_block += no;
                to[lane] = both[lane] = yes;
                yes_upto = most(yes_upto, yes);
                yes_beyond = most<Sum>(yes_beyond, first[lane] - yes);
                no_upto = most(no_upto, no);
                no_beyond = most<Sum>(no_beyond, rest[lane] - no);
            }
            const Sum no_upto_here = no_block;
            no_block -= last_no;
            last_no = no_upto_here;
            const bool is_new = from == 0;
            out.yes_upto[at] = is_new ? yes_upto : most(out.yes_upto[at], yes_upto);
            out.yes_beyond[at] =
                is_new ? yes_beyond : most(out.yes_beyond[at], yes_beyond);
            out.no_upto[at] = is_new ? no_upto : most(out.no_upto[at], no_upto);
            out.no_beyond[at] = is_new ? no_beyond : most(out.no_beyond[at], no_beyond);
            out.yes_block[at] = is_new ? yes_block : out.yes_block[at] + yes_block;
            out.no_block[at] = is_new ? no_block : out.no_block[at] + no_block;
        }
    }
}

template <class Sum>
void gain_labels(const LabelRow<Sum>& row, const LabelGains<Sum>& out) {
    if (row.lanes == 4) return gain_lanes<4>(row, out);
    if (row.lanes == 8) return gain_lanes<8>(row, out);
    if (row.lanes == 16) return gain_lanes<16>(row, out);
    gain_lanes<0>(row, out);
}

template <class Sum>
OfChildren<Sum> best_boundary(const LabelGains<Sum>& gains, std::size_t n,
                              OfChildren<Sum> best) {
    Sum yes = best.yes, no = best.no;
    for (std::size_t at = 0; at < n; ++at) {
        yes = most<Sum>(yes, gains.yes_upto[at] + gains.yes_beyond[at]);
        no = most<Sum>(no, gains.no_upto[at] + gains.no_beyond[at]);
    }
    return {yes, no};
}

/// No block ends at the first boundary of a column, where nothing is up to it.
template <class Sum>
void mark_labels(const LabelGains<Sum>& gains, std::size_t n, OfChildren<Sum> best,
                 std::uint8_t* __restrict open) {
    if (n == 0) return;
    open[0] = 0;
    for (std::size_t at = 1; at < n; ++at) {
        const Sum yes = least<Sum>(
            gains.yes_upto[at] + gains.yes_beyond[at - 1],
            gains.yes_upto[at - 1] + gains.yes_beyond[at] + gains.yes_block[at]);
        const Sum no = least<Sum>(
            gains.no_upto[at] + gains.no_beyond[at - 1],
            gains.no_upto[at - 1] + gains.no_beyond[at] + gains.no_block[at]);
        open[at] = (yes > best.yes) | (no > best.no);
    }
}
