/// The best cuts found so far in a set of rows.
#pragma once

#include <cstdint>

#include "search/options.hpp"
#include "top_k/cut_list.hpp"

namespace ostrya {

template <class Sum>
class FoundCuts {
public:
    FoundCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
              const TopK& top_k, Impurity<Sum>& impurity, MemoryBudget& memory);

    /// Start over for the rows of a table, which sum to `total`.
    void start(const BucketTable<Sum>& table, const Sum* total, std::uint32_t k);

    /// Look at every split within a bucket; `low` are the sums before it, followed by
    /// those after it.
    void walk(std::uint32_t column, std::uint32_t bucket, const Sum* low);

    /// A score that cuts must reach to be of interest, and one for a single column.
    double worst() const { return worst_; }
    bool may_improve(std::uint32_t column, double bound) const {
        return !ranks_features_ || bound <= features_[column].score;
    }
    /// Splits that were looked at.
    std::size_t n_seen() const { return n_seen_; }

    /// Put what was found in order, best first.
    void finish();

    const Vector<Ranked>& cuts() const { return found_; }
    const Sum* sums_of(const Ranked& cut) const { return sums_.data() + cut.place; }

private:
    void keep(std::size_t at);
    double worst_feature();
    void collect_features();

    bool ranks_features_;
    std::uint32_t n_columns_;
    CutList<Sum> list_;

    std::uint32_t k_ = 1;
    double worst_ = no_score;  // of the k best so far
    std::size_t n_seen_ = 0;
    Vector<Ranked> found_;     // a heap, worst first, while the search goes on
    Vector<Ranked> features_;  // the best cut of each
    Vector<Ranked> ranked_;
    Vector<Sum> sums_;
};

}  // namespace ostrya
