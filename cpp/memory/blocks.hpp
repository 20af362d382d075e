/// An array of plain values that grows block by block.
///
/// A vector holds its old and its new memory while it grows, and leaves holes behind;
/// for the largest tables of a search that would be the peak of all memory. Here
/// nothing moves, so that one thread may read values while another adds some, as long
/// as there is room in the list of blocks (`reserve`).
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <type_traits>

#include "memory/budget.hpp"

namespace ostrya {

template <class T>
class Blocks {
public:
    static constexpr std::size_t block = 1024;

    explicit Blocks(MemoryBudget& memory)
        : allocator_(memory), list_allocator_(memory) {}
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() {
        shrink_to(0);
        if (list_ != nullptr) list_allocator_.deallocate(list_, capacity_);
    }

    /// To at least `n` values, as full blocks; new values are as `T{}`.
    void grow_to(std::size_t n) {
        while (size() < n) {
            const std::size_t n_blocks = size() / block;
            if (n_blocks == capacity_) reserve((2 * n_blocks + 8) * block);
            T* const values = allocator_.allocate(block);
            std::uninitialized_fill_n(values, block, T{});
            std::atomic_ref(list_[n_blocks]).store(values, std::memory_order_relaxed);
            size_.store((n_blocks + 1) * block, std::memory_order_relaxed);
        }
    }
    /// Keep the blocks of the first `n` values alone.
    void shrink_to(std::size_t n) {
        const std::size_t kept = (n + block - 1) / block;
        for (std::size_t last = size() / block; last > kept; --last) {
            size_.store((last - 1) * block, std::memory_order_relaxed);
            allocator_.deallocate(list_[last - 1], block);
        }
    }

    /// Have room in the list of blocks for so many values, which are not made yet.
    void reserve(std::size_t n) {
        const std::size_t wanted = (n + block - 1) / block;
        if (wanted <= capacity_) return;
        // What is not used yet is not touched: the system need not provide it.
        T** const list = list_allocator_.allocate(wanted);
        std::copy_n(list_, size() / block, list);
        if (list_ != nullptr) list_allocator_.deallocate(list_, capacity_);
        list_ = list;
        capacity_ = wanted;
    }
    /// How many values there is room for before the list of blocks moves.
    std::size_t capacity() const { return capacity_ * block; }

    std::size_t size() const { return size_.load(std::memory_order_relaxed); }
    T& operator[](std::size_t at) {
        assert(at < size());
        return block_of(at)[at % block];
    }
    const T& operator[](std::size_t at) const {
        assert(at < size());
        return block_of(at)[at % block];
    }

    /// Have the processor fetch a value, which another thread may be dropping.
    void prefetch(std::size_t at) const {
        __builtin_prefetch(block_of(at) + at % block);
    }

private:
    static_assert(std::is_trivially_destructible_v<T>);

    T* block_of(std::size_t at) const {
        return std::atomic_ref(list_[at / block]).load(std::memory_order_relaxed);
    }

    Counted<T> allocator_;
    Counted<T*> list_allocator_;
    T** list_ = nullptr;
    std::size_t capacity_ = 0;  // of the list, in blocks
    std::atomic<std::size_t> size_ = 0;
};

}  // namespace ostrya
