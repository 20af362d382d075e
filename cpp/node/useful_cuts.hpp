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
    /// The number of useful cuts below each rank of the node above: its new local rank.
    const std::uint32_t* new_ranks() const { return new_rank_.data(); }
    /// Sums of the rows of each rank of the node above, slot by slot.
    const Sum* rank_sums() const { return rank_sums_.data(); }

private:
    /// What some rows could lose, and how many there are.
    struct Part {
        Weight potential, n_rows;
    };

    template <class PartOf>
    void list(const RankedColumn& column, Part total, const PartOf& part_of);
    void sum_ranks(const NodeRows<Sum>& rows, const RankedColumn& column,
                   const Vector<std::uint32_t>& source);

    const SumReader<Sum>& reader_;
    Vector<Sum> rank_sums_;       // ranks x slots
    Vector<Weight> rank_counts_;  // rows of each, where masses may be zero
    Vector<std::uint32_t> cuts_, new_rank_;
};

}  // namespace ostrya
