/// The splits a node may use: the best by impurity, in that order.
///
/// Ties go to the lower column, then to the lower cut. A split that leaves a side
/// empty, or with too few rows, is none; cuts of one column between which a node has
/// no values are one split, the lowest; different columns compete by name, even where
/// they part the rows alike.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"
#include "top_k/ranked.hpp"

namespace ostrya {

/// Sums of the rows that answer yes to each split of a node: slot `s` of split `j` is
/// at [s * stride + j]. The rows may be those of the node or of one side of a split.
template <class Sum>
struct SplitSums {
    const Sum* yes;
    std::size_t stride;
    const Sum* total;
};

template <class Sum>
class Candidates {
public:
    Candidates(const Problem& problem, const SumReader<Sum>& reader, const TopK& top_k,
               MemoryBudget& memory);

    /// Fill `chosen` with the numbers of the `k` best splits, or features with the cuts
    /// beside their best, for these rows of `node`; true when any split was left out.
    bool choose(const Node<Sum>& node, const SplitSums<Sum>& sums, std::uint32_t k,
                Vector<std::uint32_t>& chosen);

private:
    bool is_split(const Node<Sum>& node, const SplitSums<Sum>& sums,
                  std::uint32_t split);
    Ranked rank(const Node<Sum>& node, std::uint32_t split) const;
    bool keep_splits(const Node<Sum>& node, const SplitSums<Sum>& sums,
                     std::uint32_t k);
    bool keep_features(const Node<Sum>& node, const SplitSums<Sum>& sums,
                       std::uint32_t k);
    static void keep_best(Vector<Ranked>& ranked, std::uint32_t k);

    const SumReader<Sum>& reader_;
    bool ranks_features_;
    Impurity<Sum> impurity_;
    Vector<double> scores_;
    Vector<Ranked> ranked_, features_, kept_;
};

}  // namespace ostrya
