/// The columns of a node that are counted against each other in tables.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/cost.hpp"

namespace ostrya {

struct TableColumn {
    std::uint32_t index;  // among the node's histograms
    std::uint32_t n_cells;
    std::uint32_t stride;  // cells in whole vectors
    std::size_t first;     // in arrays of all columns, one after the other
};

/// Columns with the fewest cells first: of two columns the one with fewer is the outer
/// one, so that tables have few and long rows.
class TableColumns {
public:
    explicit TableColumns(MemoryBudget& memory) : columns_(memory) {}

    template <class Sum>
    void read(const Node<Sum>& node);

    const TableColumn& operator[](std::size_t at) const { return columns_[at]; }
    std::size_t size() const { return columns_.size(); }
    auto begin() const { return columns_.begin(); }
    auto end() const { return columns_.end(); }
    const TableColumn& widest() const { return columns_.back(); }

    /// Cells of all columns, padded.
    std::size_t width() const {
        return columns_.empty() ? 0 : widest().first + widest().stride;
    }
    /// Cells of the tables of the first `n` columns, each with itself and all before.
    std::size_t n_table_cells(std::size_t n) const;

private:
    Vector<TableColumn> columns_;
};

}  // namespace ostrya
