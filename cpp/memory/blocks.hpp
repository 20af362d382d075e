/// An array of plain values that grows block by block.
///
/// A vector holds its old and its new memory while it grows, and leaves holes behind;
/// for the largest tables of a search that would be the peak of all memory. Here
/// nothing moves.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <type_traits>

#include "memory/budget.hpp"

namespace ostrya {

template <class T>
class Blocks {
public:
    static constexpr std::size_t block = 1024;

    explicit Blocks(MemoryBudget& memory) : allocator_(memory), blocks_(memory) {}
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() { shrink_to(0); }

    /// To at least `n` values, as full blocks; new values are as `T{}`.
    void grow_to(std::size_t n) {
        while (size() < n) {
            if (blocks_.size() == blocks_.capacity()) {
                blocks_.reserve(2 * blocks_.size() + 8);
            }
            T* const values = allocator_.allocate(block);
            std::uninitialized_fill_n(values, block, T{});
            blocks_.push_back(values);
        }
    }
    /// Keep the blocks of the first `n` values alone.
    void shrink_to(std::size_t n) {
        const std::size_t kept = (n + block - 1) / block;
        while (blocks_.size() > kept) {
            allocator_.deallocate(blocks_.back(), block);
            blocks_.pop_back();
        }
        blocks_.shrink_to_fit();
    }

    std::size_t size() const { return blocks_.size() * block; }
    T& operator[](std::size_t at) {
        assert(at < size());
        return blocks_[at / block][at % block];
    }
    const T& operator[](std::size_t at) const {
        assert(at < size());
        return blocks_[at / block][at % block];
    }

private:
    static_assert(std::is_trivially_destructible_v<T>);

    Counted<T> allocator_;
    Vector<T*> blocks_;
};

}  // namespace ostrya
