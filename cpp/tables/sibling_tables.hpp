/// Both children of a split, solved to depth two, from one set of tables.
///
/// The sums of the node's tables are kept. Of two children only the smaller one is
/// counted; the larger one has the rest.
#pragma once

#include <cstdint>

#include "tables/table_set.hpp"

namespace ostrya {

template <class Sum, class Lane>
class SiblingTables {
public:
    explicit SiblingTables(MemoryBudget& memory);

    /// Count the tables of a node all of whose columns are histograms, unless they are
    /// there; false where they would hold more than `most_bytes`.
    bool read(const Node<Sum>& node, std::uint64_t most_bytes);

    /// Part the node: who answers yes.
    void part(const Vector<std::uint64_t>& mask);

    /// Count a column against itself and all with fewer cells, for the children asked
    /// for.
    void scan_column(std::size_t at, bool for_yes, bool for_no);
    std::size_t n_columns() const { return columns_.size(); }

    /// Cost of a child's best tree of depth two, once all columns are scanned.
    Cost best_cost(bool is_yes, const CostScale& scale) const;

private:
    /// A set of rows, and the potential of those up to each cell.
    struct Side {
        explicit Side(MemoryBudget& memory) : set(memory), potential_upto(memory) {}
        TableSet<Differences<Lane>> set;
        Vector<Weight> potential_upto;
    };
    void sum_potentials(Side& side);

    RowHash rows_;  // of the node
    bool is_read_ = false;
    TableColumns columns_;
    Side node_, smaller_, larger_;
    Vector<Weight> potentials_;  // of the node's rows
    TableScratch<Differences<Lane>> scratch_;
    Vector<Lane> whole_;            // sums of the node's tables, one by one
    Vector<std::uint32_t> listed_;  // rows of the smaller child
    bool yes_is_smaller_ = false;
};

}  // namespace ostrya
