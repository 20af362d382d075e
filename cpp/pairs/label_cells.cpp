#include "pairs/label_cells.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
LabelCells<Sum>::LabelCells(const SumReader<Sum>& reader, const Kernels<Sum>& kernels,
                            MemoryBudget& memory)
    : reader_(reader),
      kernels_(kernels),
      blocks_(memory),
      block_counts_(memory),
      both_(memory),
      counts_(memory),
      yes_upto_(memory),
      yes_beyond_(memory),
      no_upto_(memory),
      no_beyond_(memory),
      yes_block_(memory),
      no_block_(memory),
      open_(memory),
      first_(memory),
      total_(memory),
      swept_(memory),
      cell_gains_(memory) {}

template <class Sum>
void LabelCells<Sum>::start(const Node<Sum>& node) {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    const std::size_t n = labels.n_boundaries();
    blocks_.assign(n * labels.lanes, 0);
    both_.resize(n * labels.lanes);
    for (Vector<Sum>* each :
         {&yes_upto_, &yes_beyond_, &no_upto_, &no_beyond_, &yes_block_, &no_block_}) {
        each->resize(n);
    }
    open_.resize(n);
    if (reader_.layout().counts_rows) block_counts_.assign(n, 0);
    total_.assign(labels.lanes, 0);
    std::copy_n(node.rows.total.data(), reader_.layout().n_labels, total_.data());
}

template <class Sum>
template <int sign>
void LabelCells<Sum>::add(const Node<Sum>& node, std::uint32_t row) {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    const std::size_t n_columns = node.histograms.size(), lanes = labels.lanes;
    const std::uint32_t* ends = labels.row_ends.data() + row * n_columns;
    const RowGain<Sum> gained = labels.gains[row];
    const Sum* sums = node.rows.sums.data() + std::size_t{row} * reader_.size();
    if (gained.label != RowGain<Sum>::no_label) {
        Sum* const out = blocks_.data() + gained.label;
        const Sum gain = sign * gained.gain;
        for (std::size_t index = 0; index < n_columns; ++index) {
            out[ends[index] * lanes] += gain;
        }
    } else {
        const std::uint32_t n_labels = reader_.layout().n_labels;
        for (std::size_t index = 0; index < n_columns; ++index) {
            Sum* out = blocks_.data() + ends[index] * lanes;
            for (std::uint32_t label = 0; label < n_labels; ++label) {
                out[label] += sign * sums[label];
            }
        }
    }
    if (reader_.layout().counts_rows) {
        const Sum count = sign * sums[reader_.layout().count_slot()];
        for (std::size_t index = 0; index < n_columns; ++index) {
            block_counts_[ends[index]] += count;
        }
    }
}

template <class Sum>
void LabelCells<Sum>::lower(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                            bool counts_complement, const Vector<Sum>& first,
                            ChildBest<Sum>& best) {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    const SumLayout& layout = reader_.layout();
    const auto of_first = [&](std::uint32_t slot) {
        return counts_complement ? node.rows.total[slot] - first[slot] : first[slot];
    };
    first_.assign(labels.lanes, 0);
    for (std::uint32_t label = 0; label < layout.n_labels; ++label) {
        first_[label] = of_first(label);
    }
    if (layout.counts_rows) {
        first_count_.yes = of_first(layout.count_slot());
        first_count_.no = node.rows.total[layout.count_slot()] - first_count_.yes;
        count_boundaries(node);
    }
    // Where the rows added are those that answer no, the children change places.
    if (counts_complement) std::swap(best.yes_two, best.no_two);
    const Pair potential{
        of_first(layout.potential_slot()),
        node.rows.total[layout.potential_slot()] - of_first(layout.potential_slot())};
    find_gains(node);
    Pair gain{potential.yes - best.yes_two, potential.no - best.no_two};
    // The boundaries first: they are cuts themselves and give a good start.
    gain = best_boundary(node, gain);
    if (labels.shift > 0) {
        kernels_.mark_labels(gains_from(0, labels.lanes), labels.n_boundaries(), gain,
                             open_.data());
        for (std::size_t index = 0; index < node.histograms.size(); ++index) {
            for (std::size_t end = labels.first[index] + 1;
                 end < labels.first[index + 1]; ++end) {
                if (open_[end]) {
                    sweep(node, mask, counts_complement, index, end, gain);
                }
            }
        }
    }
    best.yes_two = potential.yes - gain.yes;
    best.no_two = potential.no - gain.no;
    if (counts_complement) std::swap(best.yes_two, best.no_two);
}

/// What the best labels gain at every boundary.
template <class Sum>
void LabelCells<Sum>::find_gains(const Node<Sum>& node) {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        const std::size_t from = labels.first[index];
        const std::size_t sums = from * labels.lanes;
        kernels_.gain_labels(
            {blocks_.data() + sums, labels.upto.data() + sums, first_.data(),
             total_.data(), labels.first[index + 1] - from, labels.lanes},
            gains_from(from, labels.lanes));
    }
}

template <class Sum>
LabelGains<Sum> LabelCells<Sum>::gains_from(std::size_t boundary, std::size_t lanes) {
    return {both_.data() + boundary * lanes, yes_upto_.data() + boundary,
            yes_beyond_.data() + boundary,   no_upto_.data() + boundary,
            no_beyond_.data() + boundary,    yes_block_.data() + boundary,
            no_block_.data() + boundary};
}

/// How many of the rows added are up to every boundary.
template <class Sum>
void LabelCells<Sum>::count_boundaries(const Node<Sum>& node) {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    counts_.resize(labels.n_boundaries());
    for (std::size_t index = 0; index < node.histograms.size(); ++index) {
        Sum count = 0;
        for (std::size_t at = labels.first[index]; at < labels.first[index + 1]; ++at) {
            counts_[at] = count += block_counts_[at];
        }
    }
}

template <class Sum>
auto LabelCells<Sum>::best_boundary(const Node<Sum>& node, Pair best) -> Pair {
    const LabelBlocks<Sum>& labels = node.histograms.labels;
    const std::size_t n = labels.n_boundaries();
    if (!reader_.layout().counts_rows) {
        return kernels_.best_boundary(gains_from(0, labels.lanes), n, best);
    }
    for (std::size_t at = 0; at < n; ++at) {
        if (is_enough(counts_[at], first_count_.yes)) {
            best.yes = std::max<Sum>(best.yes, yes_upto_[at] + yes_beyond_[at]);
        }
        if (is_enough(labels.counts_upto[at] - counts_[at], first_count_.no)) {
            best.no = std::max<Sum>(best.no, no_upto_[at] + no_beyond_[at]);
        }
    }
    return best;
}

/// Every cut of the block that ends at a boundary: up for what the best labels gain up
/// to each cell, and down for what they gain beyond it.
template <class Sum>
void LabelCells<Sum>::sweep(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                            bool counts_complement, std::size_t index, std::size_t end,
                            Pair& best) {
    const Histograms<Sum>& histograms = node.histograms;
    const LabelBlocks<Sum>& labels = histograms.labels;
    const HistogramColumn& column = histograms.columns[index];
    const SumLayout& layout = reader_.layout();
    const std::size_t lanes = labels.lanes, begin = end - 1;
    const std::uint32_t first_cell =
        static_cast<std::uint32_t>((begin - labels.first[index]) << labels.shift);
    const std::uint32_t end_cell =
        std::min(first_cell + (std::uint32_t{1} << labels.shift), column.n_cuts + 1);
    const std::uint32_t n_cells = end_cell - first_cell;
    const std::uint32_t* rows = histograms.sorted_rows.data() + index * node.rows.n;
    const std::uint32_t* ends = histograms.ends.data() + column.first;
    cell_gains_.resize(n_cells);
    swept_.resize(2 * lanes);
    Sum* const no = swept_.data();
    Sum* const yes = no + lanes;
    Sum most[2];  // no, yes
    // The gain of the best label of a child, once a row of the child is added.
    const auto add = [&](std::uint32_t row) {
        const bool is_yes =
            ((mask[row / 64] >> row % 64 & 1) != 0) != counts_complement;
        Sum* const side = no + is_yes * lanes;
        const RowGain<Sum> gained = labels.gains[row];
        if (gained.label != RowGain<Sum>::no_label) {
            side[gained.label] += gained.gain;
            most[is_yes] = std::max(most[is_yes], side[gained.label]);
            return;
        }
        const Sum* sums = node.rows.sums.data() + std::size_t{row} * reader_.size();
        for (std::uint32_t label = 0; label < layout.n_labels; ++label) {
            side[label] += sums[label];
            most[is_yes] = std::max(most[is_yes], side[label]);
        }
    };
    const Sum* both = both_.data() + begin * lanes;
    const Sum* upto = labels.upto.data() + begin * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        yes[lane] = both[lane];
        no[lane] = upto[lane] - both[lane];
    }
    most[0] = no_upto_[begin];
    most[1] = yes_upto_[begin];
    std::uint32_t at = first_cell == 0 ? 0 : ends[first_cell - 1];
    n_swept_ += n_cells + ends[end_cell - 1] - at;
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
        for (; at < ends[first_cell + cell]; ++at) add(rows[at]);
        cell_gains_[cell] = {most[1], most[0]};
    }
    both += lanes;
    upto += lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        yes[lane] = first_[lane] - both[lane];
        no[lane] = total_[lane] - first_[lane] - (upto[lane] - both[lane]);
    }
    most[0] = no_beyond_[end];
    most[1] = yes_beyond_[end];
    const auto lower = [&](std::uint32_t cell, bool yes_is_enough, bool no_is_enough) {
        if (yes_is_enough) {
            best.yes = std::max<Sum>(best.yes, cell_gains_[cell].yes + most[1]);
        }
        if (no_is_enough) {
            best.no = std::max<Sum>(best.no, cell_gains_[cell].no + most[0]);
        }
    };
    if (!layout.counts_rows) {
        for (std::uint32_t cell = n_cells; cell-- > 0;) {
            lower(cell, true, true);
            const std::uint32_t start =
                first_cell + cell == 0 ? 0 : ends[first_cell + cell - 1];
            while (at > start) add(rows[--at]);
        }
        return;
    }
    Pair count{counts_[end], labels.counts_upto[end] - counts_[end]};
    for (std::uint32_t cell = n_cells; cell-- > 0;) {
        lower(cell, is_enough(count.yes, first_count_.yes),
              is_enough(count.no, first_count_.no));
        const std::uint32_t start =
            first_cell + cell == 0 ? 0 : ends[first_cell + cell - 1];
        while (at > start) {
            const std::uint32_t row = rows[--at];
            add(row);
            const bool is_yes =
                ((mask[row / 64] >> row % 64 & 1) != 0) != counts_complement;
            (is_yes ? count.yes : count.no) -=
                node.rows.sums[std::size_t{row} * reader_.size() + layout.count_slot()];
        }
    }
}

template class LabelCells<std::int32_t>;
template class LabelCells<std::int64_t>;
template void LabelCells<std::int32_t>::add<1>(const Node<std::int32_t>&,
                                               std::uint32_t);
template void LabelCells<std::int32_t>::add<-1>(const Node<std::int32_t>&,
                                                std::uint32_t);
template void LabelCells<std::int64_t>::add<1>(const Node<std::int64_t>&,
                                               std::uint32_t);
template void LabelCells<std::int64_t>::add<-1>(const Node<std::int64_t>&,
                                                std::uint32_t);

}  // namespace ostrya
