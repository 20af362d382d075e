/// The best cuts found so far in a set of rows, and the walk along a bucket that finds
/// them.
#pragma once

#include <cstdint>

#include "objective/sum_reader.hpp"
#include "search/options.hpp"
#include "top_k/bucket_tables.hpp"
#include "top_k/ranked.hpp"

namespace ostrya {

template <class Sum>
class FoundCuts {
public:
    FoundCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
              const TopK& top_k, Impurity<Sum>& impurity, MemoryBudget& memory);

    /// Start over for the rows of a table, which sum to `total`.
    void start(const BucketTable<Sum>& table, const Sum* total, std::uint32_t k);

    /// Score every split within a bucket: a cut after each value that the rows have
    /// there. `low` are the sums before it, followed by those after it.
    void walk(std::uint32_t column, std::uint32_t bucket, const Sum* low);

    /// A score that cuts must reach to be of interest, and one for a single column.
    double worst() const { return worst_; }
    bool may_improve(std::uint32_t column, double bound) const {
        return !ranks_features_ || bound <= features_[column].score;
    }
    /// Splits that were scored.
    std::size_t n_seen() const { return n_seen_; }

    /// Put what was found in order, best first.
    void finish();

    const Vector<Ranked>& cuts() const { return found_; }
    const Sum* sums_of(const Ranked& cut) const { return sums_.data() + cut.place; }

private:
    std::size_t list_rows(std::uint32_t column, const Bucket& bucket);
    void list_cuts(const Sum* low, std::size_t n_present);
    void list_binary_cuts(const Sum* low, std::size_t n_present);
    void begin_cuts(std::size_t most);
    void add_cut(std::uint32_t rank, const Sum* sums);
    void score_cuts();
    void keep(std::uint32_t column, std::size_t cut);
    double worst_feature();
    void collect_features();
    void add_beside(const Ranked& best);
    void add_found(std::uint32_t column, std::uint32_t rank);

    const BucketedRows<Sum>& rows_;
    const SumReader<Sum>& reader_;
    bool ranks_features_;
    std::uint32_t n_labels_, slots_;
    Impurity<Sum>& impurity_;

    const BucketTable<Sum>* table_ = nullptr;
    const Sum* total_ = nullptr;
    std::uint32_t k_ = 1;
    double worst_ = no_score;  // of the k best so far
    std::size_t n_seen_ = 0;
    Vector<Ranked> found_;     // a heap, worst first, while the search goes on
    Vector<Ranked> features_;  // the best cut of each
    Vector<Ranked> ranked_;
    Vector<Sum> sums_, at_;
    // Cuts of the bucket that is walked: sums are slots x stride_.
    Vector<Sum> cut_sums_;
    Vector<RankedRow> present_;
    Vector<std::uint32_t> cut_ranks_;
    Vector<double> scores_;
    std::size_t stride_ = 0, n_cuts_ = 0;
};

}  // namespace ostrya
