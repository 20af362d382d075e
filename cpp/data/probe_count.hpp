/// Whether a table of hashes was flooded: filled so that every look at it is long.
#pragma once

#include <cstddef>

namespace ostrya {

/// Counts the occupied slots that were looked at. Where hashes are as good as random,
/// and half of the slots are free, there are less than two per row.
class ProbeCount {
public:
    void add() { ++n_; }
    bool are_too_many(std::size_t n_rows) const { return n_ > 32 * n_rows + (1 << 16); }

private:
    std::size_t n_ = 0;
};

}  // namespace ostrya
