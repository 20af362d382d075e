/// The best splits of a set of rows, found without looking at every cut.
///
/// What a split leaves is a concave function of the class masses on its yes side. The
/// cuts within a run of buckets have masses between those at its two ends, so none of
/// them leaves less than the least corner of that box. Runs are opened in the order of
/// this bound, first 16 buckets at a time, then one by one, then row by row, until the
/// bound of the next is worse than the k best splits in hand. What is chosen is what
/// `Candidates` would choose, to the last tie.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"
#include "search/options.hpp"
#include "top_k/found_cuts.hpp"

namespace ostrya {

template <class Sum>
class BestCuts {
public:
    BestCuts(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
             const TopK& top_k, MemoryBudget& memory);

    /// Find the `k` best splits, or features with the cuts beside their best, of the
    /// rows of `table`; true when others were left out, or may have been. What is found
    /// is of no use if the search is stopped on the way.
    bool find(const BucketTable<Sum>& table, const Sum* total, std::uint32_t k,
              StopSign& stop);

    /// What was found, best first, the lowest cut with its sides each; and the sums of
    /// the yes side, slot by slot.
    const Vector<Ranked>& cuts() const { return found_.cuts(); }
    const Sum* sums_of(const Ranked& cut) const { return found_.sums_of(cut); }

private:
    /// Buckets of one column and a bound of the cuts within: after a value of theirs.
    struct Run {
        double bound = 0;
        std::uint32_t column = 0, begin = 0, end = 0;
        std::size_t edge = 0;  // place of the sums before it; those after it follow
        bool operator<(const Run& other) const { return bound > other.bound; }
    };

    void list_runs(std::uint32_t column, std::uint32_t begin, std::uint32_t end,
                   std::size_t lower_edge, std::uint32_t step);
    void add_buckets(const Sum* low, const Sum* sums, std::uint32_t n, Sum* high) const;
    void open(const Run& run);
    bool has_splits(const Sum* low, const Sum* high, bool has_one_rank) const;
    bool has_one_rank(const Run& run) const {
        return run.end - run.begin == 1 && rows_.buckets[run.begin].has_one_rank();
    }
    void bound_runs(std::size_t first);
    void bound_runs_roughly(std::size_t first);

    const BucketedRows<Sum>& rows_;
    const SumReader<Sum>& reader_;
    std::uint32_t n_labels_, slots_;
    Impurity<Sum> impurity_;
    FoundCuts<Sum> found_;

    const BucketTable<Sum>* table_ = nullptr;
    const Sum* total_ = nullptr;
    Weight mass_ = 0;
    Vector<Run> runs_;  // a heap, least bound first
    Vector<Sum> edges_;
    Vector<Sum> corners_, rest_;
    Vector<double> scores_;
};

}  // namespace ostrya
