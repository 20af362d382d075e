#include "top_k/found_cuts.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
FoundCuts<Sum>::FoundCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
                          const TopK& top_k, Impurity<Sum>& impurity,
                          MemoryBudget& memory)
    : ranks_features_(top_k.ranks_features),
      n_columns_(rows.n_columns),
      list_(rows, reader, impurity, memory),
      found_(memory),
      features_(memory),
      ranked_(memory),
      sums_(memory) {}

template <class Sum>
void FoundCuts<Sum>::start(const BucketTable<Sum>& table, const Sum* total,
                           std::uint32_t k) {
    list_.start(table, total);
    k_ = k;
    worst_ = no_score;
    n_seen_ = 0;
    found_.clear();
    sums_.clear();
    features_.assign(ranks_features_ ? n_columns_ : 0, {});
}

template <class Sum>
void FoundCuts<Sum>::finish() {
    if (ranks_features_) collect_features();
    std::sort(found_.begin(), found_.end());
}

template <class Sum>
void FoundCuts<Sum>::walk(std::uint32_t column, std::uint32_t bucket, const Sum* low) {
    list_.list_bucket(column, bucket, low);
    n_seen_ += list_.size();
    for (std::size_t at = 0; at < list_.size(); ++at) {
        if (list_.score(at) <= worst_) keep(at);
    }
    if (ranks_features_) worst_ = worst_feature();
}

/// Keep a cut of the list if it is one of the best so far.
template <class Sum>
void FoundCuts<Sum>::keep(std::size_t at) {
    const Ranked cut = list_.cut(at, sums_.size());
    if (ranks_features_ && !(cut < features_[cut.column()])) return;
    list_.append_sums(at, sums_);
    if (ranks_features_) {
        features_[cut.column()] = cut;
        return;
    }
    found_.push_back(cut);
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
    for (std::size_t n = 0; n < std::min<std::size_t>(k_, features_.size()); ++n) {
        if (features_[n].score == no_score) break;
        found_.push_back(features_[n]);
        list_.list_beside(features_[n], sums_of(features_[n]));
        for (std::size_t at = 0; at < list_.size(); ++at) {
            found_.push_back(list_.cut(at, sums_.size()));
            list_.append_sums(at, sums_);
        }
    }
}

template class FoundCuts<std::int32_t>;
template class FoundCuts<std::int64_t>;

}  // namespace ostrya
