/// Nodes that are sets of rows, and look for their best splits only: for columns with
/// many cuts, where counting every cut of every node would take most of the time.
#pragma once

#include <cstdint>

#include "node/node.hpp"
#include "objective/sum_reader.hpp"
#include "search/options.hpp"
#include "top_k/best_cuts.hpp"

namespace ostrya {

template <class Sum>
struct RowNode {
    struct Rows : RowSet {
        explicit Rows(MemoryBudget& memory) : RowSet(memory), total(memory) {}
        Vector<Sum> total;  // per slot
    };

    RowNode(MemoryBudget& of_rows, MemoryBudget& of_splits)
        : rows(of_rows), splits(of_splits), tables(of_rows) {}

    Rows rows;
    NodeSplits<Sum> splits;  // those that were chosen; all others are of no concern
    const RowNode* parent = nullptr;
    BucketTables<Sum> tables;                 // made at this level
    const BucketTable<Sum>* table = nullptr;  // of these rows, once it is wanted

    Sum side_sum(std::uint32_t slot, std::uint32_t split, bool yes) const {
        const Sum sum = splits.sum(slot, split);
        return yes ? sum : rows.total[slot] - sum;
    }
};

/// A node parted by one of its splits.
struct RowPartition {
    explicit RowPartition(MemoryBudget& memory) : yes(memory), no(memory) {}

    std::uint32_t split = 0;
    RowSet yes, no;

    const RowHash& hash(bool is_yes) const { return is_yes ? yes.hash : no.hash; }
};

template <class SumType>
class RowNodes {
public:
    using Sum = SumType;
    using Node = RowNode<Sum>;
    using Partition = RowPartition;

    static constexpr bool counts_pairs = false;

    /// What all threads read.
    using Table = BucketedRows<Sum>;

    RowNodes(const Table& table, const TopK& top_k, StopSign& stop,
             MemoryBudget& memory);

    const SumReader<Sum>& reader() const { return reader_; }

    void build_root(Node& root);

    /// Fill `chosen` with the splits that `node` may use; true if any were left out. If
    /// the search is stopped on the way, there are none.
    bool choose(Node& node, std::uint32_t k, Vector<std::uint32_t>& chosen);

    void part(const Node& node, std::uint32_t split, Partition& partition);
    void build(const Node& node, const Partition& partition, bool yes, Node& child);

    /// What it takes to build a node and rank its splits, fitted as Node::nanoseconds
    /// is: every cell of its rows, every sum of its buckets, the rows of the buckets
    /// that are looked into for each label, which are a share of all, and every word of
    /// a row set.
    std::size_t nanoseconds(const Node& node) const {
        constexpr std::size_t rows_per_look = 50, more_columns = 8;
        const std::size_t n_columns = rows_.n_added();
        return node.rows.n * n_columns + rows_.table_size() * 3 / 2 +
               rows_.n_rows * (n_columns + more_columns) / rows_per_look *
                   reader_.layout().n_labels +
               10 * node.rows.words.size();
    }

    /// What the level of a child takes at most.
    std::uint64_t child_bytes(const Node&, const Partition&, std::uint64_t,
                              std::uint64_t) const {
        return BucketTables<Sum>::most_bytes(rows_) + rows_.n_rows;
    }

private:
    StopSign& stop_;
    SumReader<Sum> reader_;
    const BucketedRows<Sum>& rows_;
    BestCuts<Sum> best_;
};

/// Whether row sets are the faster way to search a problem.
bool suit_row_nodes(const Problem& problem);

/// What the rows and the root of such a search take, nearly.
std::uint64_t row_nodes_bytes(const Problem& problem);

}  // namespace ostrya
