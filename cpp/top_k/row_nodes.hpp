/// Nodes that are sets of rows, and look for their best splits only: for columns with
/// many cuts, where counting every cut of every node would take most of the time.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"
#include "search/options.hpp"
#include "top_k/best_cuts.hpp"

namespace ostrya {

template <class Sum>
struct RowNode {
    RowSet rows;
    std::uint32_t n_rows = 0;
    std::vector<Sum> total;  // per slot
    /// The splits that were chosen; all others are of no concern.
    std::uint32_t width = 0;
    std::vector<Split> splits;
    std::vector<Sum> yes;  // slots x width: sums of the rows that answer yes

    const RowNode* parent = nullptr;
    BucketTables<Sum> tables;                 // made at this level
    const BucketTable<Sum>* table = nullptr;  // of these rows, once it is wanted

    std::size_t bytes() const {
        return rows.bytes() + tables.bytes() + yes.capacity() * sizeof(Sum) +
               splits.capacity() * sizeof(Split);
    }
};

/// A node parted by one of its splits.
struct RowParting {
    std::uint32_t split = 0;
    RowSet yes, no;

    const RowHash& hash(bool is_yes) const { return is_yes ? yes.hash : no.hash; }
};

template <class SumType>
class RowNodes {
public:
    using Sum = SumType;
    using Node = RowNode<Sum>;
    using Parting = RowParting;

    static constexpr bool counts_pairs = false;

    RowNodes(const Problem& problem, const TopK& top_k, StopSign& stop);

    const SumReader<Sum>& reader() const { return reader_; }

    void build_root(Node& root);

    /// Fill `chosen` with the splits that `node` may use; true if any were left out. If
    /// the search is stopped on the way, there are none.
    bool choose(Node& node, std::uint32_t k, std::vector<std::uint32_t>& chosen);

    void part(const Node& node, std::uint32_t split, Parting& parting);
    void build(const Node& node, const Parting& parting, bool yes, Node& child);

    /// What the level of a child takes at most.
    template <class Level>
    std::uint64_t bytes_below(const Level&) const {
        return BucketTables<Sum>::most_bytes(rows_) + rows_.n_rows;
    }

    std::size_t bytes() const { return rows_.bytes() + best_.bytes(); }

private:
    StopSign& stop_;
    SumReader<Sum> reader_;
    BucketedRows<Sum> rows_;
    BestCuts<Sum> best_;
};

/// Whether row sets are the faster way to search a problem.
bool suit_row_nodes(const Problem& problem);

/// What the rows and the root of such a search take, nearly.
std::uint64_t row_nodes_bytes(const Problem& problem);

}  // namespace ostrya
