#include "top_k/found_cuts.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
FoundCuts<Sum>::FoundCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
                          const TopK& top_k, Impurity<Sum>& impurity,
                          MemoryBudget& memory)
    : rows_(rows),
      reader_(reader),
      ranks_features_(top_k.ranks_features),
      n_labels_(reader.layout().n_labels),
      slots_(reader.size()),
      impurity_(impurity),
      found_(memory),
      features_(memory),
      ranked_(memory),
      sums_(memory),
      at_(slots_, 0, memory),
      cut_sums_(memory),
      present_(memory),
      cut_ranks_(memory),
      scores_(memory) {}

template <class Sum>
void FoundCuts<Sum>::start(const BucketTable<Sum>& table, const Sum* total,
                           std::uint32_t k) {
    table_ = &table;
    total_ = total;
    k_ = k;
    worst_ = no_score;
    n_seen_ = 0;
    found_.clear();
    sums_.clear();
    features_.assign(ranks_features_ ? rows_.n_columns : 0, {});
}

template <class Sum>
void FoundCuts<Sum>::finish() {
    if (ranks_features_) collect_features();
    std::sort(found_.begin(), found_.end());
}

template <class Sum>
void FoundCuts<Sum>::walk(std::uint32_t column, std::uint32_t number, const Sum* low) {
    const Bucket& bucket = rows_.buckets[number];
    if (bucket.has_one_rank()) {
        begin_cuts(1);
        add_cut(bucket.first_rank, low + slots_);
    } else if (slots_ == 2) {
        list_binary_cuts(low, list_rows(column, bucket));
    } else {
        list_cuts(low, list_rows(column, bucket));
    }
    if (n_cuts_ == 0) return;
    score_cuts();
    n_seen_ += n_cuts_;
    for (std::size_t cut = 0; cut < n_cuts_; ++cut) {
        if (scores_[cut] <= worst_) keep(column, cut);
    }
    if (ranks_features_) worst_ = worst_feature();
}

/// The cuts of the rows at hand; sums start from `low`.
template <class Sum>
void FoundCuts<Sum>::list_cuts(const Sum* low, std::size_t n_present) {
    begin_cuts(n_present);
    std::copy_n(low, slots_, at_.begin());
    for (std::size_t at = 0; at < n_present; ++at) {
        const auto [row, rank] = present_[at];
        if (at > 0 && rank != present_[at - 1].rank) {
            add_cut(present_[at - 1].rank, at_.data());
        }
        const Sum* sums = rows_.sums_of(row);
        for (std::uint32_t slot = 0; slot < slots_; ++slot) at_[slot] += sums[slot];
    }
    add_cut(present_[n_present - 1].rank, at_.data());
}

/// The same for two classes and nothing else, which is most of the work of most
/// searches. Only the last cut can have all rows on one side.
template <class Sum>
void FoundCuts<Sum>::list_binary_cuts(const Sum* low, std::size_t n_present) {
    begin_cuts(n_present);
    Sum *zeros = cut_sums_.data(), *ones = zeros + stride_;
    Sum zero = low[0], one = low[1];
    std::size_t n = 0;
    std::uint32_t last = present_[0].rank;
    for (std::size_t at = 0; at < n_present; ++at) {
        const auto [row, rank] = present_[at];
        zeros[n] = zero;
        ones[n] = one;
        cut_ranks_[n] = last;
        n += rank != last;
        last = rank;
        const Sum* sums = rows_.sums_of(row);
        zero += sums[0];
        one += sums[1];
    }
    n_cuts_ = n;
    const Sum end[] = {zero, one};
    add_cut(last, end);
}

/// List the rows of a bucket that are there, ascending by rank; how many. Chance says
/// who is there, so a branch would be guessed wrong half of the time.
template <class Sum>
std::size_t FoundCuts<Sum>::list_rows(std::uint32_t column, const Bucket& bucket) {
    const RankedRow* order = rows_.order_of(column);
    present_.resize(std::max<std::size_t>(present_.size(), bucket.end - bucket.begin));
    RankedRow* to = present_.data();
    for (std::uint32_t place = bucket.begin; place < bucket.end; ++place) {
        *to = order[place];
        to += table_->rows.has(order[place].row);
    }
    return static_cast<std::size_t>(to - present_.data());
}

/// Make room for cuts to be scored together.
template <class Sum>
void FoundCuts<Sum>::begin_cuts(std::size_t most) {
    n_cuts_ = 0;
    stride_ = most;
    cut_sums_.resize(std::max(cut_sums_.size(), slots_ * most));
    cut_ranks_.resize(std::max(cut_ranks_.size(), most));
}

/// Put a cut beside those of the same bucket, if it is a split.
template <class Sum>
void FoundCuts<Sum>::add_cut(std::uint32_t rank, const Sum* sums) {
    if (!reader_.may_part(sums, 1, total_)) return;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        cut_sums_[slot * stride_ + n_cuts_] = sums[slot];
    }
    cut_ranks_[n_cuts_++] = rank;
}

template <class Sum>
void FoundCuts<Sum>::score_cuts() {
    const std::uint32_t slot = reader_.layout().mass_slot();
    impurity_.score(
        {cut_sums_.data() + slot * stride_, stride_, total_ + slot, n_labels_, n_cuts_},
        scores_);
}

/// Keep a cut if it is one of the best so far.
template <class Sum>
void FoundCuts<Sum>::keep(std::uint32_t column, std::size_t cut) {
    const Ranked found(scores_[cut], {column, cut_ranks_[cut]}, sums_.size());
    if (ranks_features_ && !(found < features_[column])) return;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        sums_.push_back(cut_sums_[slot * stride_ + cut]);
    }
    if (ranks_features_) {
        features_[column] = found;
        return;
    }
    found_.push_back(found);
    std::push_heap(found_.begin(), found_.end());
    if (found_.size() > k_) {
        std::pop_heap(found_.begin(), found_.end());
        found_.pop_back();
    }
    if (found_.size() == k_) worst_ = found_.front().score;
}

/// The score of the feature that is the k-th best so far.
template <class Sum>
double FoundCuts<Sum>::worst_feature() {
    if (features_.size() < k_) return no_score;
    ranked_ = features_;
    std::nth_element(ranked_.begin(), ranked_.begin() + (k_ - 1), ranked_.end());
    return ranked_[k_ - 1].score;
}

/// The best features, each with its best cut and the splits next to it.
template <class Sum>
void FoundCuts<Sum>::collect_features() {
    std::sort(features_.begin(), features_.end());
    for (std::size_t at = 0; at < std::min<std::size_t>(k_, features_.size()); ++at) {
        if (features_[at].score == no_score) break;
        found_.push_back(features_[at]);
        add_beside(features_[at]);
    }
}

/// The splits next to a cut in its column, if there are any: one value less on the yes
/// side, and one value more.
template <class Sum>
void FoundCuts<Sum>::add_beside(const Ranked& best) {
    const std::uint32_t column = best.column();
    const RankedRow* begin = rows_.order_of(column);
    const RankedRow* end = begin + rows_.n_rows;
    const auto first_above = [&](std::uint32_t rank) {
        return std::partition_point(
            begin, end, [rank](const RankedRow& at) { return at.rank <= rank; });
    };
    const auto has = [&](const RankedRow& at) { return table_->rows.has(at.row); };
    const auto move = [&](const RankedRow* from, const RankedRow* to, Sum sign) {
        std::copy_n(sums_of(best), slots_, at_.begin());
        for (; from < to; ++from) {
            if (!has(*from)) continue;
            const Sum* sums = rows_.sums_of(from->row);
            for (std::uint32_t slot = 0; slot < slots_; ++slot) {
                at_[slot] += sign * sums[slot];
            }
        }
    };
    const RankedRow* first = best.cut() == 0 ? begin : first_above(best.cut() - 1);
    const RankedRow* behind = first_above(best.cut());
    const auto below = std::find_if(std::make_reverse_iterator(first),
                                    std::make_reverse_iterator(begin), has);
    if (below.base() != begin) {
        move(first, behind, -1);
        add_found(column, below->rank);
    }
    const RankedRow* above = std::find_if(behind, end, has);
    if (above != end) {
        move(above, first_above(above->rank), 1);
        add_found(column, above->rank);
    }
}

/// Put the cut with the sums in `at_` among what was found, if it is a split.
template <class Sum>
void FoundCuts<Sum>::add_found(std::uint32_t column, std::uint32_t rank) {
    begin_cuts(1);
    add_cut(rank, at_.data());
    if (n_cuts_ == 0) return;
    score_cuts();
    found_.push_back({scores_[0], {column, rank}, sums_.size()});
    sums_.insert(sums_.end(), at_.begin(), at_.end());
}

template class FoundCuts<std::int32_t>;
template class FoundCuts<std::int64_t>;

}  // namespace ostrya
