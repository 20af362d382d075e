/// The cuts of one column that a node may need (B3), and what lies between them.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"

namespace ostrya {

/// A column as the node above has it: its local rank for each row.
struct RankedColumn {
    std::uint32_t column;        // in Problem::splits
    const std::uint32_t* ranks;  // of the rows of the node above
    std::uint32_t first;         // subtracted from ranks
    std::uint32_t n_ranks;
    const std::uint32_t* cuts;  // cut of Problem::splits each rank ends at
};

template <class Sum>
class UsefulCuts {
public:
    UsefulCuts(const SumReader<Sum>& reader, MemoryBudget& memory)
        : reader_(reader),
          rank_sums_(memory),
          rank_counts_(memory),
          cuts_(memory),
          new_rank_(memory) {}

    /// Find the cuts whose two children may be worth having, for the rows of a node;
    /// `source[row]` is the row in the node above.
    void find(const NodeRows<Sum>& rows, const RankedColumn& column,
              const Vector<std::uint32_t>& source);

    /// Cuts of Problem::splits, ascending.
    const Vector<std::uint32_t>& cuts() const { return cuts_; }
    /// The number of useful cuts below a rank of the node above: its new local rank.
    std::uint32_t new_rank(std::uint32_t rank) const { return new_rank_[rank]; }
    /// Sums of the rows of a rank of the node above, slot by slot.
    const Sum* sums_of(std::uint32_t rank) const {
        return rank_sums_.data() + std::size_t{rank} * reader_.size();
    }

private:
    void sum_ranks(const NodeRows<Sum>& rows, const RankedColumn& column,
                   const Vector<std::uint32_t>& source);

    const SumReader<Sum>& reader_;
    Vector<Sum> rank_sums_;       // ranks x slots
    Vector<Weight> rank_counts_;  // rows of each, where masses may be zero
    Vector<std::uint32_t> cuts_, new_rank_;
};

}  // namespace ostrya
