/// Builds the nodes of one problem: the root from all rows, a child from its parent.
#pragma once

#include <cstdint>

#include "node/candidate_bits.hpp"
#include "node/node.hpp"
#include "node/useful_cuts.hpp"

namespace ostrya {

template <class Sum>
class NodeBuilder {
public:
    NodeBuilder(const Problem& problem, MemoryBudget& memory);

    /// Build the root; false, and it is not to be used, if stopped. Its sums are there
    /// in any case.
    bool build_root(Node<Sum>& root, const StopCheck& is_stopped);

    /// Build the child of `parent` with the rows in `keep`, one bit per parent row.
    void build_child(const Node<Sum>& parent, const Vector<std::uint64_t>& keep,
                     const RowHash& hash, const Vector<Sum>& total, Node<Sum>& child);

    const SumReader<Sum>& reader() const { return reader_; }
    const Kernels<Sum>& kernels() const { return kernels_; }

private:
    void find_gains(Node<Sum>& root) const;
    void start_columns(Node<Sum>& node, std::size_t n_bits);
    void add_column(Node<Sum>& node, const RankedColumn& column);
    void add_histogram(Node<Sum>& node, const RankedColumn& column);
    void finish(Node<Sum>& node);
    void fill_cells(Node<Sum>& node) const;

    const Problem& problem_;
    SumReader<Sum> reader_;
    const Kernels<Sum>& kernels_;
    std::uint32_t least_table_rows_;  // nodes with as many count pairs in tables

    // Scratch, reused from node to node.
    Vector<std::uint32_t> source_;  // rows of the parent that are kept
    UsefulCuts<Sum> useful_;
    CandidateBits<Sum> candidates_;
    Vector<Sum> cell_sums_;  // cells x slots
};

}  // namespace ostrya
