/// Cuts of one column, the sums of their yes sides, and their scores: those within a
/// bucket, or those next to a cut.
#pragma once

#include <cstdint>

#include "objective/sum_reader.hpp"
#include "top_k/bucket_tables.hpp"
#include "top_k/ranked.hpp"

namespace ostrya {

template <class Sum>
class CutList {
public:
    CutList(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
            Impurity<Sum>& impurity, MemoryBudget& memory);

    /// From here on, list cuts of the rows of a table, which sum to `total`.
    void start(const BucketTable<Sum>& table, const Sum* total) {
        table_ = &table;
        total_ = total;
    }

    /// List every split within a bucket: a cut after each value that the rows have
    /// there. `low` are the sums before it, followed by those after it.
    void list_bucket(std::uint32_t column, std::uint32_t bucket, const Sum* low);

    /// List the splits next to a cut with these sums, if there are any: one value less
    /// on the yes side, and one value more.
    void list_beside(const Ranked& cut, const Sum* sums);

    std::size_t size() const { return n_; }
    double score(std::size_t at) const { return scores_[at]; }
    /// A cut whose sums are going to be kept at `place`.
    Ranked cut(std::size_t at, std::size_t place) const {
        return {scores_[at], {column_, ranks_[at]}, place};
    }
    void append_sums(std::size_t at, Vector<Sum>& to) const {
        for (std::uint32_t slot = 0; slot < slots_; ++slot) {
            to.push_back(sums_[slot * stride_ + at]);
        }
    }

private:
    void make_room(std::size_t most);
    std::size_t list_rows(const Bucket& bucket);
    void add_all(const Sum* low, std::size_t n_present);
    void add_all_binary(const Sum* low, std::size_t n_present);
    void add(std::uint32_t rank, const Sum* sums);
    void score_all();

    const BucketedRows<Sum>& rows_;
    const SumReader<Sum>& reader_;
    std::uint32_t slots_;
    Impurity<Sum>& impurity_;

    const BucketTable<Sum>* table_ = nullptr;
    const Sum* total_ = nullptr;
    std::uint32_t column_ = 0;
    std::size_t stride_ = 0, n_ = 0;
    Vector<Sum> sums_;  // slots x stride_
    Vector<std::uint32_t> ranks_;
    Vector<double> scores_;
    Vector<RankedRow> present_;  // rows of a bucket
    Vector<Sum> at_;             // sums of the cut at hand
};

}  // namespace ostrya
