#include "top_k/best_cuts.hpp"

#include <algorithm>

#include "tuning/tuning.hpp"

namespace ostrya {

template <class Sum>
BestCuts<Sum>::BestCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
                        const TopK& top_k, MemoryBudget& memory)
    : rows_(rows),
      reader_(reader),
      n_labels_(reader.layout().n_labels),
      slots_(reader.size()),
      impurity_(top_k, rows.problem, memory),
      found_(rows, reader, top_k, impurity_, memory),
      runs_(memory),
      edges_(memory),
      corners_(memory),
      rest_(n_labels_, 0, memory),
      scores_(memory) {}

template <class Sum>
bool BestCuts<Sum>::find(const BucketTable<Sum>& table, const Sum* total,
                         std::uint32_t k, StopSign& stop) {
    table_ = &table;
    total_ = total;
    mass_ = reader_.mass(total, 1);
    found_.start(table, total, k);
    runs_.clear();
    edges_.assign(slots_, 0);
    for (std::uint32_t column = 0; column < rows_.n_columns; ++column) {
        const std::uint32_t begin = rows_.first[column], end = rows_.first[column + 1];
        list_runs(column, begin, end, 0,
                  end - begin > FixedTuning::buckets_at_once
                      ? FixedTuning::buckets_at_once
                      : 1);
    }
    bound_runs(0);
    std::make_heap(runs_.begin(), runs_.end());
    bool has_closed_run = false;  // one with splits, maybe, that was never opened
    for (std::size_t n = 1; !runs_.empty() && runs_.front().bound <= found_.worst();
         ++n) {
        if (n % FixedTuning::runs_between_looks == 0 && stop.is_up()) return true;
        const Run run = runs_.front();
        std::pop_heap(runs_.begin(), runs_.end());
        runs_.pop_back();
        if (!found_.may_improve(run.column, run.bound)) {
            has_closed_run = true;
        } else if (run.end - run.begin > 1) {
            open(run);
        } else {
            found_.walk(run.column, run.begin, edges_.data() + run.edge);
        }
    }
    found_.finish();
    return has_closed_run || !runs_.empty() || found_.cuts().size() < found_.n_seen();
}

/// Part the buckets from `begin` to `end` into runs of `step`, and list those in which
/// there may be splits.
template <class Sum>
void BestCuts<Sum>::list_runs(std::uint32_t column, std::uint32_t begin,
                              std::uint32_t end, std::size_t lower_edge,
                              std::uint32_t step) {
    std::size_t edge = edges_.size();
    edges_.resize(edge + ((end - begin + step - 1) / step + 1) * slots_);
    std::copy_n(edges_.data() + lower_edge, slots_, edges_.data() + edge);
    for (std::uint32_t from = begin; from < end; from += step, edge += slots_) {
        const std::uint32_t to = std::min(from + step, end);
        const Sum* low = edges_.data() + edge;
        Sum* high = edges_.data() + edge + slots_;
        const Sum* sums = table_->sums.data() + std::size_t{from} * slots_;
        add_buckets(low, sums, to - from, high);
        const bool has_one_rank = to - from == 1 && rows_.buckets[from].has_one_rank();
        if (has_splits(low, high, has_one_rank)) {
            runs_.push_back({0, column, from, to, edge});
        }
    }
}

template <class Sum>
void BestCuts<Sum>::add_buckets(const Sum* low, const Sum* sums, std::uint32_t n,
                                Sum* high) const {
    if (slots_ == 2) {  // two classes and nothing else: the usual case
        Sum zero = low[0], one = low[1];
        for (std::uint32_t bucket = 0; bucket < n; ++bucket) {
            zero += sums[2 * bucket];
            one += sums[2 * bucket + 1];
        }
        high[0] = zero;
        high[1] = one;
        return;
    }
    std::copy_n(low, slots_, high);
    for (std::uint32_t bucket = 0; bucket < n; ++bucket) {
        for (std::uint32_t slot = 0; slot < slots_; ++slot) high[slot] += *sums++;
    }
}

/// Replace a run that was taken off by its buckets.
template <class Sum>
void BestCuts<Sum>::open(const Run& run) {
    const std::size_t n_before = runs_.size();
    list_runs(run.column, run.begin, run.end, run.edge, 1);
    bound_runs(n_before);
    for (std::size_t n = n_before; n < runs_.size(); ++n) {
        std::push_heap(runs_.begin(),
                       runs_.begin() + static_cast<std::ptrdiff_t>(n) + 1);
    }
}

/// Whether a cut from `low`, itself not included, to `high` can have enough rows on
/// both sides.
template <class Sum>
bool BestCuts<Sum>::has_splits(const Sum* low, const Sum* high,
                               bool has_one_rank) const {
    const Weight before = reader_.mass(low, 1), after = reader_.mass(high, 1);
    if (before == after || (has_one_rank && after == mass_)) return false;
    const SumLayout& layout = reader_.layout();
    if (!layout.counts_rows) return true;
    const std::size_t slot = layout.count_slot();
    const Sum most_no = total_[slot] - (has_one_rank ? high[slot] : low[slot]);
    return high[slot] >= reader_.min_count() && most_no >= reader_.min_count();
}

/// Bound the runs from number `first` on: by the corners of their boxes, all at once.
///
/// For two classes the two mixed corners suffice. With the other class fixed, most is
/// left where both sides have equal shares of the classes, and less the further from
/// there. So where the yes side has more than its share of a class at an end of the
/// run, the mixed corner with still more of it, and less of the other, leaves no more.
///
/// A corner with all rows on one side scores as no split, and rightly does not count:
/// it leaves more than any other, and if there were no others all rows would be of one
/// class, and never parted.
template <class Sum>
void BestCuts<Sum>::bound_runs(std::size_t first) {
    if (n_labels_ > FixedTuning::most_corner_labels) return bound_runs_roughly(first);
    const std::uint32_t slot = reader_.layout().mass_slot();
    const std::size_t first_corner = n_labels_ == 2 ? 1 : 0;
    const std::size_t n_corners = n_labels_ == 2 ? 2 : std::size_t{1} << n_labels_;
    const std::size_t stride = (runs_.size() - first) * n_corners;
    corners_.resize(stride * n_labels_);
    for (std::size_t at = first; at < runs_.size(); ++at) {
        const Sum* low = edges_.data() + runs_[at].edge + slot;
        const Sum* high = low + slots_;
        if (has_one_rank(runs_[at])) low = high;
        for (std::uint32_t label = 0; label < n_labels_; ++label) {
            const Sum ends[] = {low[label], high[label]};
            Sum* to = corners_.data() + label * stride + (at - first) * n_corners;
            for (std::size_t corner = 0; corner < n_corners; ++corner) {
                to[corner] = ends[(first_corner + corner) >> label & 1];
            }
        }
    }
    impurity_.score({corners_.data(), stride, total_ + slot, n_labels_, stride},
                    scores_);
    for (std::size_t at = first; at < runs_.size(); ++at) {
        const double* scores = scores_.data() + (at - first) * n_corners;
        // One unit is far more than floats can be off.
        runs_[at].bound = *std::min_element(scores, scores + n_corners) - 1;
    }
}

/// The same for many classes: the rows of the run itself, parted at no cost.
template <class Sum>
void BestCuts<Sum>::bound_runs_roughly(std::size_t first) {
    const std::uint32_t slot = reader_.layout().mass_slot();
    for (std::size_t at = first; at < runs_.size(); ++at) {
        const Sum* low = edges_.data() + runs_[at].edge + slot;
        const Sum* high = low + slots_;
        if (has_one_rank(runs_[at])) low = high;
        for (std::uint32_t label = 0; label < n_labels_; ++label) {
            rest_[label] = total_[slot + label] - high[label];
        }
        runs_[at].bound =
            Impurity<Sum>::least_score(impurity_.of_side(low, n_labels_) +
                                           impurity_.of_side(rest_.data(), n_labels_),
                                       static_cast<double>(mass_));
    }
}

template class BestCuts<std::int32_t>;
template class BestCuts<std::int64_t>;

}  // namespace ostrya
