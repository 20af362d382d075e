/// Memory for millions of small things, given back all at once.
///
/// A search that is told to stop has to return at once; freeing a long queue piece by
/// piece would take seconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/row_hash.hpp"

namespace ostrya::leaf_sets {

/// Pieces of 32-bit words, cut from large blocks and used again by size.
class Pieces {
public:
    std::uint32_t* take(std::size_t n_words) {
        if (free_.size() <= n_words) free_.resize(n_words + 1);
        if (!free_[n_words].empty()) {
            std::uint32_t* piece = free_[n_words].back();
            free_[n_words].pop_back();
            return piece;
        }
        if (n_words > left_) {
            left_ = std::max(block_words, n_words);
            blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(left_));
            next_ = blocks_.back().get();
            bytes_ += left_ * sizeof(std::uint32_t);
        }
        std::uint32_t* piece = next_;
        next_ += n_words;
        left_ -= n_words;
        return piece;
    }

    void give_back(std::uint32_t* piece, std::size_t n_words) {
        free_[n_words].push_back(piece);
    }

    std::uint64_t bytes() const { return bytes_; }

private:
    static constexpr std::size_t block_words = std::size_t{1} << 16;

    std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
    std::vector<std::vector<std::uint32_t*>> free_;  // by size
    std::uint32_t* next_ = nullptr;
    std::size_t left_ = 0;
    std::uint64_t bytes_ = 0;
};

/// A set of 128-bit keys, in parts that grow one by one: no insertion takes long. The
/// key of nothing but zeros is never asked for.
class KeySet {
public:
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

    std::uint64_t bytes() const { return n_slots_ * sizeof(RowHash); }

private:
    static constexpr std::size_t n_parts = 256;
    struct Part {
        std::vector<RowHash> slots;
        std::size_t size = 0;
    };

    static RowHash& find(Part& part, const RowHash& key) {
        std::size_t at = key.low & (part.slots.size() - 1);
        while (!(part.slots[at] == RowHash{}) && !(part.slots[at] == key)) {
            at = (at + 1) & (part.slots.size() - 1);
        }
        return part.slots[at];
    }

    void grow(Part& part) {
        std::vector<RowHash> old(part.slots.empty() ? 16 : 2 * part.slots.size());
        n_slots_ += old.size() - part.slots.size();
        old.swap(part.slots);
        for (const RowHash& key : old) {
            if (!(key == RowHash{})) find(part, key) = key;
        }
    }

    std::vector<Part> parts_ = std::vector<Part>(n_parts);
    std::uint64_t n_slots_ = 0;
};

}  // namespace ostrya::leaf_sets
