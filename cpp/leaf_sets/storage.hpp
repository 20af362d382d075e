/// Memory for millions of small things, given back all at once.
///
/// A search that is told to stop has to return at once; freeing a long queue piece by
/// piece would take seconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "data/row_hash.hpp"
#include "memory/budget.hpp"

namespace ostrya::leaf_sets {

/// Pieces of 32-bit words, cut from large blocks and used again by size.
class Pieces {
public:
    explicit Pieces(MemoryBudget& memory)
        : allocator_(memory), blocks_(memory), free_(memory) {}
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;
    ~Pieces() {
        for (const auto& [block, n_words] : blocks_) {
            allocator_.deallocate(block, n_words);
        }
    }

    std::uint32_t* get(std::size_t n_words) {
        if (free_.size() <= n_words) {
            free_.resize(n_words + 1, Vector<std::uint32_t*>(free_.get_allocator()));
        }
        if (!free_[n_words].empty()) {
            std::uint32_t* piece = free_[n_words].back();
            free_[n_words].pop_back();
            return piece;
        }
        if (n_words > left_) {
            blocks_.reserve(blocks_.size() + 1);
            left_ = std::max(block_words, n_words);
            next_ = allocator_.allocate(left_);
            blocks_.push_back({next_, left_});
        }
        std::uint32_t* piece = next_;
        next_ += n_words;
        left_ -= n_words;
        return piece;
    }

    void give_back(std::uint32_t* piece, std::size_t n_words) {
        free_[n_words].push_back(piece);
    }

private:
    static constexpr std::size_t block_words = std::size_t{1} << 16;

    Counted<std::uint32_t> allocator_;
    Vector<std::pair<std::uint32_t*, std::size_t>> blocks_;
    Vector<Vector<std::uint32_t*>> free_;  // by size
    std::uint32_t* next_ = nullptr;
    std::size_t left_ = 0;
};

/// A set of 128-bit keys, in parts that grow one by one: no insertion takes long. The
/// key of nothing but zeros is never asked for.
class KeySet {
public:
    explicit KeySet(MemoryBudget& memory) : parts_(n_parts, Part(memory), memory) {}

    /// True when the key is new.
    bool insert(const RowHash& key) {
        Part& part = parts_[key.high % n_parts];
        if (2 * (part.size + 1) > part.slots.size()) grow(part);
        RowHash& slot = find(part, key);
        if (slot == key) return false;
        slot = key;
        ++part.size;
        return true;
    }

private:
    static constexpr std::size_t n_parts = 256;
    struct Part {
        explicit Part(MemoryBudget& memory) : slots(memory) {}
        Vector<RowHash> slots;
        std::size_t size = 0;
    };

    static RowHash& find(Part& part, const RowHash& key) {
        std::size_t at = key.low & (part.slots.size() - 1);
        while (!(part.slots[at] == RowHash{}) && !(part.slots[at] == key)) {
            at = (at + 1) & (part.slots.size() - 1);
        }
        return part.slots[at];
    }

    static void grow(Part& part) {
        Vector<RowHash> old(part.slots.empty() ? 16 : 2 * part.slots.size(),
                            part.slots.get_allocator());
        old.swap(part.slots);
        for (const RowHash& key : old) {
            if (!(key == RowHash{})) find(part, key) = key;
        }
    }

    Vector<Part> parts_;
};

}  // namespace ostrya::leaf_sets
