/// The tree behind a pair of splits: scans keep costs only, so it is looked up.
#pragma once

#include <cstdint>

#include "bounds/look_ahead.hpp"
#include "pairs/pair_counter.hpp"
#include "search/subtree_pool.hpp"

namespace ostrya {

/// A child of the first split, as a scan of pairs saw it.
struct ScannedChild {
    ChildCosts costs;
    Weight two_loss = 0;  // its least loss with one split
};

template <class Sum>
class PairTree {
public:
    PairTree(const SumReader<Sum>& reader, PairCounter<Sum>& counter, SubtreePool& pool)
        : reader_(reader), counter_(counter), pool_(pool) {}

    /// The tree of this cost with the first split `first`; one of its children stays a
    /// leaf where three leaves were allowed, not four.
    Subtree find(const Node<Sum>& node, std::uint32_t first, Cost cost,
                 const ScannedChild& yes, const ScannedChild& no);

private:
    std::uint32_t second_split(const Node<Sum>& node, std::uint32_t first, bool is_yes,
                               Weight two_loss) const;

    const SumReader<Sum>& reader_;
    PairCounter<Sum>& counter_;
    SubtreePool& pool_;
};

}  // namespace ostrya
