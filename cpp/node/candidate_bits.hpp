/// Bit columns of a node that is being built, and which of them it keeps: those worth
/// splitting on, each partition of the rows once, the promising ones first.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"

namespace ostrya {

template <class Sum>
class CandidateBits {
public:
    CandidateBits(const Problem& problem, const SumReader<Sum>& reader,
                  const Kernels<Sum>& kernels, MemoryBudget& memory);

    /// Start over, with room for `capacity` columns; more are added by widening.
    void start(std::uint32_t n_words, std::size_t capacity);

    /// The bit columns of a parent, for the rows in `keep`.
    void inherit(const Node<Sum>& parent, const std::uint64_t* keep);

    /// Add cuts of a column that are side by side; rows answer yes from cut
    /// `first_yes(row)` on.
    template <class Cuts, class FirstYes>
    void add_cuts(std::uint32_t column, const Cuts& cuts, std::uint32_t n_rows,
                  const FirstYes& first_yes);

    /// Choose the columns the node keeps, and write them, their names and their sums.
    /// `node.splits` is as wide as it will be once `n_cells` cells follow.
    void write(Node<Sum>& node, std::uint32_t n_cells);

private:
    void widen(std::size_t n_columns);
    void choose(const NodeRows<Sum>& rows);
    void choose_by_name();
    void count(const NodeRows<Sum>& rows);
    void list_useful(const NodeRows<Sum>& rows);
    void hash_listed(const NodeRows<Sum>& rows);
    bool is_repeated(const NodeRows<Sum>& rows, std::uint32_t candidate);
    bool repeats_lower_cut(std::uint32_t candidate) const;
    void chain_cuts(NodeSplits<Sum>& splits);

    const Problem& problem_;
    const SumReader<Sum>& reader_;
    const Kernels<Sum>& kernels_;
    bool has_chains_;  // some column has more than one cut

    std::uint32_t n_words_ = 0;
    std::size_t stride_ = 0;
    Vector<std::uint64_t> bits_;  // (words + 1) x stride
    Vector<Split> names_;
    Vector<std::uint32_t> next_, previous_;
    Vector<Sum> sums_;              // slots x stride
    Vector<std::uint32_t> listed_;  // candidates worth having
    Vector<std::uint64_t> hashes_;  // of those
    Vector<std::uint32_t> table_;   // of those, open addressing
    Vector<std::uint64_t> keys_;    // to sort them by
    Vector<std::uint32_t> chosen_;  // in the order of the node's splits
    Vector<Sum> yes_loss_, no_loss_;
};

template <class Sum>
template <class Cuts, class FirstYes>
void CandidateBits<Sum>::add_cuts(std::uint32_t column, const Cuts& cuts,
                                  std::uint32_t n_rows, const FirstYes& first_yes) {
    const std::size_t first = names_.size(), end = first + cuts.size();
    if (end > stride_) widen(end);
    for (const std::uint32_t cut : cuts) {
        names_.push_back({column, cut});
        const auto at = static_cast<std::uint32_t>(next_.size());
        next_.push_back(at + 1 < end ? at + 1 : none);
        previous_.push_back(at > first ? at - 1 : none);
    }
    for (std::uint32_t row = 0; row < n_rows; ++row) {
        std::uint64_t* words = bits_.data() + row / 64 * stride_ + first;
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        for (std::size_t at = first_yes(row); at < cuts.size(); ++at) words[at] |= bit;
    }
}

}  // namespace ostrya
