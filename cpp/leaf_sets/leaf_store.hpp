/// Every leaf met so far, once, with its sums: found by the rows it holds.
///
/// Two clause sets that hold the same training rows make the same leaf: whatever
/// follows is the same for both.
#pragma once

#include <cstdint>
#include <deque>

#include "leaf_sets/memory_stop.hpp"
#include "leaf_sets/table.hpp"

namespace ostrya::leaf_sets {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

struct Leaf {
    RowHash hash;
    std::uint32_t made_by = none;  // the first split that made it; none for the root
    std::uint32_t yes_of = none;   // the leaf of which it was last made the yes side
    Weight loss = 0;               // of its best label
    const std::uint32_t* groups = nullptr;  // listed when first asked for
    std::uint32_t n_groups = 0;
    bool is_listed = false;
    bool is_expanded = false;
    std::uint32_t first_split = 0;
    std::uint32_t n_splits = 0;
};

class LeafStore {
public:
    LeafStore(Layout layout, MemoryStop& stop, MemoryBudget& memory)
        : layout_(layout),
          stop_(stop),
          leaves_(memory),
          sums_(memory),
          by_rows_(1024, none, memory) {}

    Leaf& operator[](std::uint32_t leaf) { return leaves_[leaf]; }
    const Leaf& operator[](std::uint32_t leaf) const { return leaves_[leaf]; }
    std::size_t size() const { return leaves_.size(); }
    /// To be read before the next leaf is added.
    Sums sums(std::uint32_t leaf) const {
        return {sums_.data() + leaf * layout_.size(), layout_};
    }

    /// The leaf with these rows; if it is new, `made_by` is the split that made it.
    std::uint32_t find_or_add(const RowHash& hash, const Sums& sums,
                              std::uint32_t made_by);

private:
    std::size_t slot_of(const RowHash& hash) const;
    void grow();

    const Layout layout_;
    MemoryStop& stop_;
    std::deque<Leaf, Counted<Leaf>> leaves_;
    Vector<Weight> sums_;            // of each leaf
    Vector<std::uint32_t> by_rows_;  // open addressing; none: free
};

}  // namespace ostrya::leaf_sets
